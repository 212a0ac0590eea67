import { execFile } from "node:child_process";
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { promisify } from "node:util";
import { withScratch } from "../../packaging/scratch.ts";
import { findTool } from "../../packaging/tool.ts";
import type { Command } from "./measure.ts";

/** What a run asks of the kernel and of the processor, which the load of the machine hardly changes. */
export type Counts = {
  readonly name: string;
  /** With those of the programs that it runs. Undefined without strace. */
  readonly systemCalls: number | undefined;
  /** In user mode. Undefined without valgrind, and where servers are asked, which would be given up: valgrind is some 60 times slower. */
  readonly instructions: number | undefined;
};

/**
 * Runs a program once under strace.
 *
 * @returns undefined where there is no strace
 */
export async function countSystemCalls({ argv, env = {} }: Command): Promise<number | undefined> {
  if (findTool("strace") === undefined) return undefined;
  return withScratch("strace", async (folder) => {
    const summary = join(folder, "summary");
    await run(["strace", "--follow-forks", "--summary-only", "--summary-columns=name,calls", `--output=${summary}`, "--", ...argv], env);
    return readSystemCalls(readFileSync(summary, "utf8"));
  });
}

/** The total below strace's lines of a name and a count. */
export function readSystemCalls(summary: string): number {
  const [, count] = /^total +(\d+)$/m.exec(summary) ?? [];
  if (count === undefined) throw new Error(`strace says no total:\n${summary}`);
  return Number(count);
}

/**
 * Runs a program once under valgrind's callgrind. It counts what is not written yet when it runs, as V8's own code, and needs no counters of the processor, which
 * virtual machines seldom have.
 *
 * @returns undefined where there is no valgrind
 */
export async function countInstructions({ argv, env = {} }: Command): Promise<number | undefined> {
  if (findTool("valgrind") === undefined) return undefined;
  return readInstructions(await run(["valgrind", "--tool=callgrind", "--callgrind-out-file=/dev/null", ...argv], env));
}

/** What callgrind writes to stderr when the program has ended. */
export function readInstructions(stderr: string): number {
  const [, count] = /^==\d+== Collected : (\d+)$/m.exec(stderr) ?? [];
  if (count === undefined) throw new Error(`valgrind says nothing of instructions:\n${stderr}`);
  return Number(count);
}

/** @returns what it wrote to stderr */
async function run([program, ...args]: readonly [string, ...string[]], env: Readonly<Record<string, string>>): Promise<string> {
  const { stderr } = await promisify(execFile)(program, args, { env: { PATH: process.env["PATH"], ...env }, maxBuffer: 64 * 1024 * 1024 });
  return stderr;
}
