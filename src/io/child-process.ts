import { type ChildProcess, spawn } from "node:child_process";
import type { Program, ProgramResult, RunningProgram } from "./program.ts";

/** Node.js's own way to run a program, which needs no addon and more of the main thread's time. */
export function startChildProcess({ argv, env, inheritFds, outputLimitBytes }: Program): RunningProgram {
  const [name = "", ...args] = argv;
  const child = spawn(name, args, { env: { ...env }, stdio: ["ignore", "pipe", "pipe", ...inheritFds] });
  return { ended: endOf(child, outputLimitBytes), kill: () => kill(child) };
}

function kill(child: ChildProcess): void {
  child.kill("SIGKILL");
  // A grandchild may hold the other ends open for ever.
  for (const stream of child.stdio) stream?.destroy();
}

async function endOf(child: ChildProcess, limitBytes: number): Promise<ProgramResult> {
  const stdout = collect(child.stdout, limitBytes);
  const stderr = collect(child.stderr, limitBytes);
  const [status, signal] = await new Promise<[number | null, string | null]>((resolve, reject) => {
    child.once("error", reject);
    child.once("close", (...how) => resolve(how));
  });
  return { status, signal, stdout: stdout(), stderr: stderr() };
}

/** Reads all of the stream, keeps the beginning, and returns a function that tells what was kept. */
function collect(stream: NodeJS.ReadableStream | null, limitBytes: number): () => string {
  const chunks: Buffer[] = [];
  let room = limitBytes;
  stream?.on("data", (chunk: Buffer) => {
    if (room > 0) chunks.push(chunk.subarray(0, room));
    room -= chunk.length;
  });
  return () => Buffer.concat(chunks).toString("utf8");
}
