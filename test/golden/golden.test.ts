import { cpSync, existsSync, mkdtempSync, readdirSync, rmSync } from "node:fs";
import { join } from "node:path";
import { tmpdir } from "node:os";
import { afterEach, describe, expect, it } from "vitest";
import { readTree, writeTree } from "./tree.ts";
import { outcomeOf } from "./outcome.ts";

/**
 * Every folder here is a case: what an operator gives and what is known of the world, and every file that comes of it.
 *
 *   args           words of the command line, one a line; @CA@ is the base64 of the cluster's certificate authority,
 *                  @CASE@ the folder of the case
 *   environment    NAME=value, one a line; may be missing
 *   facts.json     as `eks-node-agent facts` prints it
 *   user-data      of the instance; may be missing. @GZIP(file)@ and @BASE64(file)@ stand for a file of the case
 *   root/          files of the node that are read as configuration; may be missing
 *   expected/      the tree of files, with the lines for files of others as NAME.block, and notes.txt: notes, then what preflight finds, one a line.
 *                  error.txt alone where nothing would be written
 *
 * UPDATE_GOLDEN=1 writes what comes of it instead of comparing. Read the difference before you keep it.
 */
const CASES = import.meta.dirname;
const isUpdate = process.env["UPDATE_GOLDEN"] === "1";

const names = readdirSync(CASES, { withFileTypes: true })
  .filter((entry) => entry.isDirectory())
  .map(({ name }) => name)
  .sort();

describe("what becomes of a command line and facts", () => {
  it("is known for all cases that the rules name", () => {
    expect(names.length).toBeGreaterThanOrEqual(45);
  });

  it.each(names)("%s", async (name) => {
    const folder = join(CASES, name);
    const outcome = await outcomeOf(folder);
    if (isUpdate) writeTree(join(folder, "expected"), outcome);
    expect(outcome).toEqual(readTree(join(folder, "expected")));
  });
});

describe("the comparison itself", () => {
  const copies: string[] = [];
  afterEach(() => copies.splice(0).forEach((copy) => rmSync(copy, { recursive: true })));

  it.each([
    ["a file more than expected", "expected/etc/extra.conf"],
    ["a file that differs in one byte", "expected/notes.txt"],
  ])("finds %s", async (_, path) => {
    const copy = mkdtempSync(join(tmpdir(), "golden-"));
    copies.push(copy);
    cpSync(join(CASES, "kubelet-1.33"), copy, { recursive: true });
    expect(existsSync(join(copy, "args"))).toBe(true);
    const expected = readTree(join(copy, "expected"));
    const relative = path.slice("expected/".length);
    writeTree(join(copy, "expected"), new Map([...expected, [relative, `${expected.get(relative) ?? ""}x`]]));
    expect(await outcomeOf(copy)).not.toEqual(readTree(join(copy, "expected")));
  });
});
