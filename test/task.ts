import { type ChildProcess, spawn } from "node:child_process";
import { ROOT } from "../packaging/project.ts";
import { runTool } from "../packaging/tool.ts";

/**
 * Runs a task of the project as the documentation shows it, `npm run build`, and returns what it printed. test/docs/pages.ts names the tests that do so.
 *
 * @throws Error with what it wrote to stderr, when it fails
 */
export function runTask(command: string): Promise<string> {
  return runTool("bash", ["-c", command], { cwd: ROOT });
}

/** Starts one that runs until it is interrupted, in a process group of its own. Its stdout is a pipe. */
export function startTask(command: string): ChildProcess {
  return spawn("bash", ["-c", command], { cwd: ROOT, detached: true, stdio: ["ignore", "pipe", "inherit"] });
}

/** Interrupts a started task as Ctrl-C does, and waits for its end. */
export async function interruptTask(task: ChildProcess): Promise<void> {
  const ended = new Promise((done) => task.once("close", done));
  if (task.pid !== undefined) process.kill(-task.pid, "SIGINT");
  await ended;
}
