import { spawnSync } from "node:child_process";
import { join } from "node:path";
import { expect, test } from "vitest";

const MODULE = join(import.meta.dirname, "../../src/io/stdio.ts");

/** Runs a program that writes, at the head of a pipeline of the shell. */
function pipeline(program: string, rest: string): { readonly stdout: string; readonly stderr: string; readonly status: number | null } {
  const script = `import { writeOut, writeError } from ${JSON.stringify(MODULE)}; ${program}`;
  // Without "set -o pipefail", which not every sh has, the writer's own status is put where the test can read it.
  const shell = `{ "$0" --input-type=module -e "$1"; echo "status $?" >&2; } ${rest}`;
  return spawnSync("sh", ["-c", shell, process.execPath, script], { encoding: "utf8" });
}

test("what is written is there when the process ends at once", () => {
  const { stdout, stderr } = pipeline(`writeOut("a".repeat(300_000)); writeOut(Buffer.from("é")); writeError("told\\n"); process.exit(3);`, "| cat");
  expect([stdout.length, stdout.at(-1), stderr]).toEqual([300_001, "é", "told\nstatus 3\n"]);
});

test("a reader that goes away is no failure", () => {
  expect(pipeline(`writeOut("a".repeat(300_000)); writeOut("b");`, "| head -c 1")).toMatchObject({ stdout: "a", stderr: "status 0\n" });
});

test("a full disk is one, in words", () => {
  const { stderr } = pipeline(`try { writeOut("a"); } catch (error) { writeError(error.message + "\\n"); }`, "> /dev/full");
  expect(stderr).toBe("Cannot write to standard output (ENOSPC)\nstatus 0\n");
});

const HAS_PERL = spawnSync("perl", ["-MFcntl", "-e", "1"]).status === 0;

test.skipIf(!HAS_PERL)("a pipe that somebody has set not to block is written to as its reader reads (skipped without perl)", () => {
  const notBlocking = `perl -MFcntl -e 'fcntl(STDOUT, F_SETFL, O_NONBLOCK | O_WRONLY); exec @ARGV' "$0" --input-type=module -e "$1"`;
  const script = `import { writeOut } from ${JSON.stringify(MODULE)}; writeOut("a".repeat(300_000));`;
  const { stdout, status } = spawnSync("sh", ["-c", `${notBlocking} | { sleep 0.2; wc -c; }`, process.execPath, script], { encoding: "utf8" });
  expect([stdout.trim(), status]).toEqual(["300000", 0]);
});
