import { readFileSync } from "node:fs";
import { join } from "node:path";

export const ROOT = join(import.meta.dirname, "..");
export const BUILD = join(ROOT, "build");
export const DIST = join(ROOT, "dist");

/** The version in package.json. */
export function projectVersion(): string {
  return (readJson("package.json") as { version: string }).version;
}

/** What package-lock.json says of a package at the top of node_modules. */
export function lockedPackage(name: string): { readonly version: string; readonly integrity: string } {
  const lock = readJson("package-lock.json") as { packages: Record<string, { version: string; integrity: string }> };
  const locked = lock.packages[`node_modules/${name}`];
  if (locked === undefined) throw new Error(`package-lock.json has no "${name}"`);
  return locked;
}

function readJson(path: string): unknown {
  return JSON.parse(readFileSync(join(ROOT, path), "utf8"));
}
