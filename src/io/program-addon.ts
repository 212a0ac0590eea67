import { constants } from "node:os";
import { getSystemErrorName } from "node:util";
import { loadAddon } from "./addon.ts";
import type { Program, ProgramResult, RunningProgram, StartProgram } from "./program.ts";

/** packaging/addon/program.cc says what these are. */
type RunProgram = (argv: readonly string[], env: readonly string[], fds: readonly number[], limitBytes: number, done: Done) => (() => void) | number;
type Done = (failure: number, status: number, signal: number, stdout: Buffer, stderr: Buffer) => void;

/**
 * Our own way to run a program, on a thread beside the main one.
 *
 * @throws Error where the addon cannot be had, as loadAddon() does
 */
export function openProgramAddon(load: (name: string) => unknown = loadAddon): StartProgram {
  const addon = load("program");
  if (!isProgramAddon(addon)) throw new Error('the addon "program" has no runProgram');
  return (program) => start(addon.runProgram, program);
}

function isProgramAddon(addon: unknown): addon is { readonly runProgram: RunProgram } {
  return typeof addon === "object" && addon !== null && "runProgram" in addon && typeof addon.runProgram === "function";
}

function start(runProgram: RunProgram, { argv, env, inheritFds, outputLimitBytes }: Program): RunningProgram {
  const assignments = Object.entries(env).map(([name, value]) => `${name}=${value}`);
  for (const text of [...argv, ...assignments]) refuseNul(text);
  const { promise: ended, resolve, reject } = Promise.withResolvers<ProgramResult>();
  const kill = runProgram(argv, assignments, inheritFds, outputLimitBytes, (failure, status, signal, stdout, stderr) => {
    if (failure !== 0) reject(notStarted(argv, failure));
    else resolve({ ...howItEnded(status, signal), stdout: stdout.toString("utf8"), stderr: stderr.toString("utf8") });
  });
  if (typeof kill === "number") throw notStarted(argv, kill);
  return { ended, kill };
}

/** The system would take the text for one that ends there. Node.js refuses it with the same code. */
function refuseNul(text: string): void {
  if (text.includes("\0")) throw Object.assign(new TypeError(`a program's arguments and environment have no NUL: ${JSON.stringify(text)}`), { code: "ERR_INVALID_ARG_VALUE" });
}

function howItEnded(status: number, signal: number): Pick<ProgramResult, "status" | "signal"> {
  if (signal === 0) return { status, signal: null };
  const [name = `signal ${signal}`] = Object.entries(constants.signals).find(([, number]) => number === signal) ?? [];
  return { status: null, signal: name };
}

/** Looks like Node.js's. */
function notStarted(argv: readonly string[], errno: number): Error {
  const [path = "", ...spawnargs] = argv;
  const code = getSystemErrorName(-errno);
  return Object.assign(new Error(`spawn ${path} ${code}`), { errno: -errno, code, syscall: `spawn ${path}`, path, spawnargs });
}
