import { existsSync, mkdirSync, readdirSync, readFileSync, renameSync, rmSync, symlinkSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { expect, test } from "vitest";
import { beginStaging } from "../../src/apply/staging.ts";
import { isTemporaryName, type NewFile } from "../../src/apply/write-file.ts";
import { withTree } from "../gather/tree.ts";

const OWNER = { uid: process.getuid?.() ?? 0, gid: process.getgid?.() ?? 0 };
const FILE: NewFile = { contents: "new\n", mode: 0o640, owner: OWNER };

/** Everything below a directory: the files' contents, and "directory". */
function tree(root: string): Readonly<Record<string, string>> {
  const entries = readdirSync(root, { recursive: true, withFileTypes: true });
  return Object.fromEntries(entries.map((entry) => {
    const path = join(entry.parentPath, entry.name);
    return [path.slice(root.length), entry.isDirectory() ? "directory" : readFileSync(path, "utf8")] as const;
  }).sort());
}

/** Temporary names differ in each run. */
function staged(directory: string): readonly string[] {
  return readdirSync(directory).filter(isTemporaryName).map((name) => name.replace(/[0-9a-f]{16}$/, "…"));
}

async function untilStaged(directory: string, count: number): Promise<void> {
  while (!existsSync(directory) || staged(directory).length < count) await sleep(5);
}

test("a staged file lies beside its place, which holds the old one until the new one is put there", () =>
  withTree({ "/etc/a": "old\n" }, async (root) => {
    const { put } = beginStaging([{ path: `${root}/etc/a`, file: FILE }]);
    await untilStaged(`${root}/etc`, 1);
    expect([staged(`${root}/etc`), readFileSync(`${root}/etc/a`, "utf8")]).toEqual([[".a.eks-node-agent-…"], "old\n"]);
    await put(`${root}/etc/a`, FILE);
    expect(tree(root)).toEqual({ "/etc": "directory", "/etc/a": "new\n" });
  }));

test("what is not put in its place is removed, with the directories that were made for it", () =>
  withTree({ "/etc/a": "old\n" }, async (root) => {
    const { put, discard } = beginStaging(["/etc/a", "/etc/new/b", "/var/lib/deep/c", "/var/lib/d"].map((path) => ({ path: root + path, file: FILE })));
    await put(`${root}/var/lib/d`, FILE);
    await discard();
    expect(tree(root)).toEqual({ "/etc": "directory", "/etc/a": "old\n", "/var": "directory", "/var/lib": "directory", "/var/lib/d": "new\n" });
    await discard();
  }));

test("a directory in which somebody else has put something in the meantime stays", () =>
  withTree({ "/etc/a": "old\n" }, async (root) => {
    const { discard } = beginStaging([{ path: `${root}/etc/new/b`, file: FILE }]);
    await untilStaged(`${root}/etc/new`, 1);
    writeFileSync(`${root}/etc/new/theirs`, "theirs\n");
    await discard();
    expect(tree(`${root}/etc/new`)).toEqual({ "/theirs": "theirs\n" });
  }));

test.each([
  ["contents", { ...FILE, contents: "other\n" }],
  ["a mode", { ...FILE, mode: 0o600 }],
])("a file with other %s than were staged is written as it shall be", (_what, other) =>
  withTree({ "/etc/a": "old\n" }, async (root) => {
    const { put, discard } = beginStaging([{ path: `${root}/etc/a`, file: FILE }]);
    await put(`${root}/etc/a`, other);
    await discard();
    expect(tree(root)).toEqual({ "/etc": "directory", "/etc/a": other.contents });
  }));

test("a file that is not staged is written", () =>
  withTree({ "/etc/a": "old\n" }, async (root) => {
    await beginStaging([]).put(`${root}/etc/a`, FILE);
    expect(tree(root)).toEqual({ "/etc": "directory", "/etc/a": "new\n" });
  }));

test("a file whose directory is another by now is written anew, as under a mount", () =>
  withTree({ "/etc/d/a": "old\n" }, async (root) => {
    const { put } = beginStaging([{ path: `${root}/etc/d/a`, file: FILE }]);
    await untilStaged(`${root}/etc/d`, 1);
    renameSync(`${root}/etc/d`, `${root}/etc/hidden`);
    mkdirSync(`${root}/etc/d`);
    await put(`${root}/etc/d/a`, FILE);
    expect(tree(`${root}/etc/d`)).toEqual({ "/a": "new\n" });
  }));

test("what could not be staged tells why when it is put in its place, and the rest is put", () =>
  withTree({ "/etc/file": "in the way\n", "/etc/a": "old\n" }, async (root) => {
    symlinkSync("nowhere", `${root}/etc/dangling`);
    const paths = ["/etc/file/b", "/etc/dangling/b", "/etc/a"].map((path) => root + path);
    const { put, discard } = beginStaging(paths.map((path) => ({ path, file: FILE })));
    const outcomes = await Promise.allSettled(paths.map((path) => put(path, FILE)));
    expect(outcomes.map((one) => (one.status === "rejected" ? (one.reason as { code?: string }).code : "put"))).toEqual(["write-failed", "write-failed", "put"]);
    await discard();
    rmSync(`${root}/etc/dangling`);
    expect(tree(root)).toEqual({ "/etc": "directory", "/etc/file": "in the way\n", "/etc/a": "new\n" });
  }));
