import { mkdirSync, mkdtempSync, readdirSync, rmSync, symlinkSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { removeFile, removeLeftovers } from "../../src/apply/remove-file.ts";

let directory: string;
beforeEach(() => { directory = mkdtempSync(join(tmpdir(), "remove-")); });
afterEach(() => { rmSync(directory, { recursive: true }); });

describe("removeFile()", () => {
  it("removes a file, a symbolic link but not its target, and takes a missing file", async () => {
    for (const name of ["a", "target"]) writeFileSync(join(directory, name), "");
    symlinkSync("target", join(directory, "link"));
    for (const name of ["a", "link", "missing"]) await removeFile(join(directory, name));
    expect(readdirSync(directory)).toEqual(["target"]);
  });

  it("does not remove a directory", async () => {
    await expect(removeFile(directory)).rejects.toMatchObject({ code: "write-failed", message: expect.stringMatching(`^Cannot remove ${directory}: .+ \\((EISDIR|EPERM)\\)$`) as string });
  });
});

describe("removeLeftovers()", () => {
  it("removes the temporary files of killed runs and nothing else", async () => {
    for (const name of ["a.conf", ".a.conf", ".a.conf.eks-node-agent-0123456789abcdef", ".a.conf.swp"]) writeFileSync(join(directory, name), "");
    await removeLeftovers(directory);
    expect(readdirSync(directory).sort()).toEqual([".a.conf", ".a.conf.swp", "a.conf"]);
  });

  it("takes a missing directory, and a file in its place", async () => {
    writeFileSync(join(directory, "file"), "");
    mkdirSync(join(directory, "d"));
    await removeLeftovers(join(directory, "missing"));
    await removeLeftovers(join(directory, "file"));
    expect(readdirSync(directory).sort()).toEqual(["d", "file"]);
  });
});
