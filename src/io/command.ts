import { errnoOf } from "../errors.ts";
import { startChildProcess } from "./child-process.ts";
import type { ProgramResult, RunningProgram, StartProgram } from "./program.ts";
import { openProgramAddon } from "./program-addon.ts";

export type CommandOptions = {
  /** The command is killed when it takes longer. */
  readonly timeoutMs: number;
  readonly signal?: AbortSignal;
  /** Added to this process's own environment. */
  readonly env?: Readonly<Record<string, string>>;
  /** Our descriptors that it gets as 3, 4, … */
  readonly inheritFds?: readonly number[];
};

/** How it ended, with at most the first MiB of each output. */
export type CommandResult = ProgramResult;

const cannotExecute = (program: string): string => `the program "${program}" on PATH cannot be executed`;

const NOT_STARTED: Readonly<Record<string, (program: string) => string>> = {
  ENOENT: (program) => `there is no program "${program}" on PATH`,
  EACCES: cannotExecute,
  ENOEXEC: cannotExecute,
};

/**
 * Why a program found by its name was not started, as the end of a sentence; undefined for an error that tells of no such
 * thing.
 */
export function whyNotStarted(program: string, error: unknown): string | undefined {
  const errno = errnoOf(error) ?? "";
  return NOT_STARTED[errno]?.(program);
}

/** Thrown when a command was killed because it took too long. */
export class CommandDeadlineError extends Error {
  constructor(argv: readonly string[], timeoutMs: number) {
    super(`"${argv.join(" ")}" did not end within ${timeoutMs / 1000} s and was killed`);
    this.name = "CommandDeadlineError";
  }
}

const OUTPUT_LIMIT_BYTES = 1024 * 1024;

/** The service manager's talk with this process: a child that answered it would speak in our name. */
const NOT_FOR_CHILDREN = ["NOTIFY_SOCKET", "WATCHDOG_USEC", "WATCHDOG_PID", "LISTEN_FDS", "LISTEN_PID", "LISTEN_FDNAMES"];

/**
 * Runs a program, found by its absolute path or on PATH, without a shell and with an empty input, and returns how it ended. An
 * exit status other than 0 is a result, not an error.
 *
 * @throws the system error (ENOENT, EACCES, …) when it cannot be started, CommandDeadlineError when it takes longer than
 * `timeoutMs`, the signal's reason when aborted
 */
export async function runCommand(argv: readonly string[], options: CommandOptions, start: StartProgram = startHere): Promise<CommandResult> {
  options.signal?.throwIfAborted();
  const program = { argv, env: childEnvironment(options.env), inheritFds: options.inheritFds ?? [], outputLimitBytes: OUTPUT_LIMIT_BYTES };
  return endInTime(start(program), argv, options);
}

function childEnvironment(added: Readonly<Record<string, string>> = {}): Readonly<Record<string, string>> {
  const own = Object.entries(process.env).flatMap(([name, value]) => (value === undefined || NOT_FOR_CHILDREN.includes(name) ? [] : [[name, value] as const]));
  return { ...Object.fromEntries(own), ...added };
}

/** The first program decides it for all. */
const startHere: StartProgram = (program) => (startBest ??= bestWay())(program);
let startBest: StartProgram | undefined;

/** The addon's way, or that of Node.js where there is no addon. */
export function bestWay(open: () => StartProgram = openProgramAddon): StartProgram {
  try {
    return open();
  } catch {
    // It does the same, later.
    return startChildProcess;
  }
}

function endInTime({ ended, kill }: RunningProgram, argv: readonly string[], { timeoutMs, signal }: CommandOptions): Promise<CommandResult> {
  return new Promise((resolve, reject) => {
    const settled = () => {
      clearTimeout(timer);
      signal?.removeEventListener("abort", onAbort);
    };
    const giveUp = (reason: Error) => {
      settled();
      kill();
      reject(reason);
    };
    const onAbort = () => giveUp(signal?.reason as Error);
    const timer = setTimeout(() => giveUp(new CommandDeadlineError(argv, timeoutMs)), timeoutMs);
    signal?.addEventListener("abort", onAbort, { once: true });
    void ended.finally(settled).then(resolve, reject);
  });
}
