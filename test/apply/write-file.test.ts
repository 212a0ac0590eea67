import { chmodSync, chownSync, lstatSync, mkdirSync, mkdtempSync, readdirSync, readFileSync, realpathSync, rmSync, statSync, symlinkSync, watch, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { isTemporaryName, replaceFile, replaceRecord } from "../../src/apply/write-file.ts";
import { modeOf } from "./test-machine.ts";

const owner = { uid: process.getuid?.() ?? 0, gid: process.getgid?.() ?? 0 };
const isRoot = owner.uid === 0;

let directory: string;
beforeEach(() => { directory = realpathSync(mkdtempSync(join(tmpdir(), "write-"))); });
afterEach(() => { rmSync(directory, { recursive: true }); });

const at = (...names: string[]) => join(directory, ...names);
const replace = (path: string, contents = "new\n", mode = 0o644) => replaceFile(path, { contents, mode, owner });

describe("replaceFile()", () => {
  it("writes a new file and leaves nothing else", async () => {
    await replace(at("a"));
    expect(readdirSync(directory)).toEqual(["a"]);
    expect([readFileSync(at("a"), "utf8"), modeOf(at("a"))]).toEqual(["new\n", "0644"]);
  });

  it("puts another file in place of the old one, which a reader still has whole", async () => {
    writeFileSync(at("a"), "old\n");
    const { ino } = statSync(at("a"));
    await replace(at("a"));
    expect([readFileSync(at("a"), "utf8"), statSync(at("a")).ino === ino]).toEqual(["new\n", false]);
  });

  it.each([["0600", 0o600], ["0644", 0o644], ["0755", 0o755]])("gives it the mode %s under a umask that forbids it, and directories 0755", async (text, mode) => {
    const before = process.umask(0o077);
    try {
      await replace(at("d", "e", "a"), "x", mode);
    } finally {
      process.umask(before);
    }
    expect([modeOf(at("d")), modeOf(at("d", "e")), modeOf(at("d", "e", "a"))]).toEqual(["0755", "0755", text]);
  });

  it("leaves the mode of a directory that exists as it is", async () => {
    mkdirSync(at("d"));
    chmodSync(at("d"), 0o700);
    await replace(at("d", "a"));
    expect(modeOf(at("d"))).toBe("0700");
  });

  it.runIf(isRoot)("gives it its owner even in a set-group-id directory", async () => {
    mkdirSync(at("d"));
    chmodSync(at("d"), 0o2777);
    chownSync(at("d"), 0, 65534);
    await replace(at("d", "a"));
    expect([statSync(at("d", "a")).uid, statSync(at("d", "a")).gid]).toEqual([0, 0]);
  });

  it("replaces a symbolic link and does not touch what it points to", async () => {
    writeFileSync(at("target"), "kept\n");
    symlinkSync("target", at("a"));
    await replace(at("a"));
    expect([lstatSync(at("a")).isFile(), readFileSync(at("target"), "utf8")]).toEqual([true, "kept\n"]);
  });

  it("takes a name of the greatest length", async () => {
    const name = `${"n".repeat(250)}.conf`;
    await replace(at(name));
    expect(readdirSync(directory)).toEqual([name]);
  });

  it("removes its temporary file when the rename fails", async () => {
    mkdirSync(at("a"));
    await expect(replace(at("a"))).rejects.toMatchObject({
      code: "write-failed",
      exitStatus: 73,
      message: `Cannot write ${at("a")}: illegal operation on a directory (EISDIR)`,
      remedy: "Move the directory away, then run eks-node-agent again.",
    });
    expect(readdirSync(directory)).toEqual(["a"]);
  });

  it("says what is in the way when a parent is no directory", async () => {
    writeFileSync(at("file"), "");
    await expect(replace(at("file", "d", "a"))).rejects.toMatchObject({
      code: "write-failed",
      message: `Cannot write ${at("file", "d", "a")}: not a directory (ENOTDIR)`,
      remedy: "Something that is no directory is in its path: move it away, then run eks-node-agent again.",
    });
  });

  it("says so when a file system takes no files", async () => {
    await expect(replace("/proc/eks-node-agent-test")).rejects.toMatchObject({
      code: "write-failed",
      message: expect.stringMatching(/^Cannot write \/proc\/eks-node-agent-test: .+ \((ENOENT|EACCES|EPERM)\)$/) as string,
    });
  });

  it.runIf(!isRoot)("names the permission that is missing", async () => {
    mkdirSync(at("d"), 0o500);
    await expect(replace(at("d", "a"))).rejects.toMatchObject({ code: "write-failed", message: `Cannot write ${at("d", "a")}: permission denied (EACCES)` });
  });
});

describe("replaceRecord()", () => {
  it("puts another file in place of the old one, which a reader still has whole, and leaves nothing else", async () => {
    writeFileSync(at("a"), "old\n");
    const { ino } = statSync(at("a"));
    await replaceRecord(at("a"), { contents: "new\n", mode: 0o640, owner });
    expect([readdirSync(directory), readFileSync(at("a"), "utf8"), statSync(at("a")).ino === ino, modeOf(at("a"))]).toEqual([["a"], "new\n", false, "0640"]);
  });

  it("removes its temporary file when the rename fails", async () => {
    mkdirSync(at("a", "b"), { recursive: true });
    await expect(replaceRecord(at("a"), { contents: "new\n", mode: 0o640, owner })).rejects.toMatchObject({ code: "write-failed" });
    expect(readdirSync(directory)).toEqual(["a"]);
  });
});

describe("isTemporaryName()", () => {
  it.each([
    [".ca.crt.eks-node-agent-0123456789abcdef", true],
    [".ca.crt.eks-node-agent-", false],
    ["ca.crt.eks-node-agent-0123456789abcdef", false],
    [".ca.crt", false],
    ["ca.crt", false],
  ])("%s: %s", (name, isTemporary) => {
    expect(isTemporaryName(name)).toBe(isTemporary);
  });

  it("knows the names that are used, whatever the file's name has in it", async () => {
    const name = "ü n.conf";
    const seen: string[] = [];
    const watcher = watch(directory, (_event, changed) => { if (changed !== null && changed !== name) seen.push(changed); });
    await replace(at(name));
    await expect.poll(() => seen.length).toBeGreaterThan(0);
    watcher.close();
    expect([...new Set(seen)].map((each) => [each.startsWith(".___n.conf.eks"), isTemporaryName(each)])).toEqual([[true, true]]);
  });
});
