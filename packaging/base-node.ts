import { createHash } from "node:crypto";
import { copyFileSync, existsSync, mkdirSync, readFileSync, renameSync, rmSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { type Architecture, ARCHITECTURES, HOST } from "./architecture.ts";
import { BUILD, lockedPackage, ROOT } from "./project.ts";
import { findTool, runTool } from "./tool.ts";

/** The home folder that pkg is given: it looks for Node.js in a cache there before it downloads one. */
export const PKG_HOME = join(BUILD, "pkg-home");

/**
 * The Node.js executable that an agent for `arch` is made from: the locked one, without its symbols if a `strip` that knows
 * the architecture is there (a finished agent does not survive strip). It lies where pkg looks for it.
 */
export async function baseNode(arch: Architecture): Promise<string> {
  const release = `node-v${lockedPackage(`node-linux-${arch}`).version}-linux-${arch}`;
  const cache = join(PKG_HOME, ".pkg-cache/sea");
  const strip = stripFor(arch);
  const path = join(cache, release, "bin/node");
  // pkg takes empty *.ok files for "downloaded and checked" and "unpacked".
  const marks = [join(cache, `${release}.tar.gz`), join(cache, `${release}.tar.gz.ok`), `${path}.ok`];
  const strippedBy = join(cache, `${release}.strip`);
  if (existsSync(path) && existsSync(strippedBy) && readFileSync(strippedBy, "utf8") === (strip ?? "")) return path;

  const source = arch === HOST ? join(ROOT, `node_modules/node-linux-${arch}/bin/node`) : await fetchNode(arch);
  mkdirSync(dirname(path), { recursive: true });
  const temporary = `${path}.${process.pid}`;
  if (strip === undefined) copyFileSync(source, temporary);
  else await runTool(strip, ["-o", temporary, source]);
  renameSync(temporary, path);
  for (const mark of marks) writeFileSync(mark, "");
  writeFileSync(strippedBy, strip ?? "");
  return path;
}

/** Debian's own strip knows the machine's architecture only; each cross toolchain brings one for its own. */
export function stripFor(arch: Architecture): string | undefined {
  return findTool(`${ARCHITECTURES[arch].gnu}-strip`) ?? (arch === HOST ? findTool("strip") : undefined);
}

/** Fetches the Node.js of another architecture from the registry that npm uses, and checks it against package-lock.json. */
async function fetchNode(arch: Architecture): Promise<string> {
  const name = `node-linux-${arch}`;
  const { version, integrity } = lockedPackage(name);
  const folder = join(BUILD, "fetched", `${name}-${version}`);
  const node = join(folder, "package/bin/node");
  if (existsSync(node)) return node;

  const temporary = `${folder}.${process.pid}`;
  mkdirSync(temporary, { recursive: true });
  await runTool("npm", ["pack", `${name}@${version}`, "--pack-destination", temporary]);
  const archive = join(temporary, `${name}-${version}.tgz`);
  checkIntegrity(archive, integrity);
  await runTool("tar", ["-xzf", archive, "-C", temporary, "package/bin/node"]);
  rmSync(archive);
  renameSync(temporary, folder);
  return node;
}

function checkIntegrity(path: string, expected: string): void {
  const actual = `sha512-${createHash("sha512").update(readFileSync(path)).digest("base64")}`;
  if (actual !== expected) throw new Error(`"${path}" is not what package-lock.json names: it has ${actual}, not ${expected}`);
}
