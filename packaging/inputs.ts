import { createHash } from "node:crypto";
import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { compilerFor } from "./addon.ts";
import type { Architecture } from "./architecture.ts";
import { stripFor } from "./base-node.ts";
import { ROOT } from "./project.ts";
import { wayIntoRoot } from "./root-directory.ts";
import { runnerFor } from "./training.ts";

/** A digest of all that decides what an executable for `arch` is: the sources, the build itself with the world that it trains in, the packages, and the tools that this machine has. */
export function digestInputs(arch: Architecture): string {
  const hash = createHash("sha256");
  for (const path of inputFiles()) hash.update(`${path}\0`).update(readFileSync(join(ROOT, path))).update("\0");
  return hash.update(JSON.stringify([arch, stripFor(arch), compilerFor(arch), runnerFor(arch), wayIntoRoot()?.("")])).digest("hex");
}

function inputFiles(): string[] {
  const code = ["src", "packaging", "test/simulator"].flatMap((folder) =>
    readdirSync(join(ROOT, folder), { recursive: true, withFileTypes: true })
      .filter((entry) => entry.isFile() && /\.(ts|mjs|cjs|json|cc|h|sh)$/.test(entry.name))
      .map((entry) => join(entry.parentPath, entry.name).slice(ROOT.length)),
  );
  return ["package.json", "package-lock.json", ...code.sort()];
}
