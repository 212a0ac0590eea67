import { mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { dirname, join, relative } from "node:path";

/** Path below a folder, without a slash in front, to text; sorted by path. */
export type Tree = ReadonlyMap<string, string>;

export function readTree(folder: string): Tree {
  const files = readdirSync(folder, { recursive: true, withFileTypes: true }).filter((entry) => entry.isFile());
  return sortTree(files.map((entry) => join(entry.parentPath, entry.name)).map((path) => [relative(folder, path), readFileSync(path, "utf8")]));
}

/** Replaces the folder. */
export function writeTree(folder: string, tree: Tree): void {
  rmSync(folder, { recursive: true, force: true });
  for (const [path, text] of tree) {
    mkdirSync(dirname(join(folder, path)), { recursive: true });
    writeFileSync(join(folder, path), text);
  }
}

export function sortTree(entries: readonly (readonly [string, string])[]): Tree {
  return new Map([...entries].sort(([one], [other]) => (one < other ? -1 : 1)));
}
