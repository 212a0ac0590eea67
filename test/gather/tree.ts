import { chmodSync, mkdirSync, mkdtempSync, rmSync, symlinkSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";

/** A file's text; or a program's lines of shell; or what a link leads to. */
export type Entry = string | { readonly program: string } | { readonly link: string };

/** A tree of files for as long as `use` runs, without what a real machine has. */
export async function withTree<T>(entries: Readonly<Record<string, Entry>>, use: (root: string) => T | Promise<T>): Promise<T> {
  const root = mkdtempSync(join(tmpdir(), "tree-"));
  try {
    for (const [path, entry] of Object.entries(entries)) write(root + path, entry);
    return await use(root);
  } finally {
    rmSync(root, { recursive: true });
  }
}

function write(path: string, entry: Entry): void {
  mkdirSync(dirname(path), { recursive: true });
  if (typeof entry === "string") return writeFileSync(path, entry);
  if ("link" in entry) return symlinkSync(entry.link, path);
  writeFileSync(path, `#!/bin/sh\n${entry.program}\n`);
  chmodSync(path, 0o755);
}
