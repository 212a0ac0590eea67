import { spawn, type ChildProcess } from "node:child_process";
import { errnoOf } from "../errors.ts";

export type CommandOptions = {
  /** The command is killed when it takes longer. */
  readonly timeoutMs: number;
  readonly signal?: AbortSignal;
  /** Added to this process's own environment. */
  readonly env?: Readonly<Record<string, string>>;
  /** Written to its standard input, which is empty otherwise. */
  readonly input?: string;
  /** Our descriptors that it gets as 3, 4, … */
  readonly inheritFds?: readonly number[];
};

export type CommandResult = {
  /** The exit status; null when a signal ended it. */
  readonly status: number | null;
  /** The signal that ended it, such as "SIGSEGV". */
  readonly signal: string | null;
  /** At most the first MiB of it, as is `stderr`. */
  readonly stdout: string;
  readonly stderr: string;
};

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
 * Runs a program, found by its absolute path or on PATH, without a shell, and returns how it ended. An exit status other
 * than 0 is a result, not an error.
 *
 * @throws the system error (ENOENT, EACCES, …) when it cannot be started, CommandDeadlineError when it takes longer than
 * `timeoutMs`, the signal's reason when aborted
 */
export async function runCommand(argv: readonly string[], options: CommandOptions): Promise<CommandResult> {
  const [program = "", ...args] = argv;
  options.signal?.throwIfAborted();
  const child = spawn(program, args, {
    env: childEnvironment(options.env),
    stdio: [options.input === undefined ? "ignore" : "pipe", "pipe", "pipe", ...(options.inheritFds ?? [])],
  });
  const stdout = collect(child.stdout);
  const stderr = collect(child.stderr);
  // A program that ends without reading its input breaks the pipe; its exit status says whether that was a failure.
  child.stdin?.on("error", () => undefined).end(options.input);
  const { status, signal } = await ended(child, argv, options);
  return { status, signal, stdout: stdout(), stderr: stderr() };
}

function childEnvironment(added: Readonly<Record<string, string>> = {}): NodeJS.ProcessEnv {
  const kept = Object.entries(process.env).filter(([name]) => !NOT_FOR_CHILDREN.includes(name));
  return { ...Object.fromEntries(kept), ...added };
}

/** Reads all of the stream, keeps the beginning, and returns a function that tells what was kept. */
function collect(stream: NodeJS.ReadableStream | null): () => string {
  const chunks: Buffer[] = [];
  let room = OUTPUT_LIMIT_BYTES;
  stream?.on("data", (chunk: Buffer) => {
    if (room > 0) chunks.push(chunk.subarray(0, room));
    room -= chunk.length;
  });
  return () => Buffer.concat(chunks).toString("utf8");
}

function ended(child: ChildProcess, argv: readonly string[], options: CommandOptions): Promise<Pick<CommandResult, "status" | "signal">> {
  return new Promise((resolve, reject) => {
    const giveUp = (reason: Error) => {
      child.kill("SIGKILL");
      // A grandchild may hold the other ends open for ever.
      for (const stream of child.stdio) stream?.destroy();
      reject(reason);
    };
    const onAbort = () => giveUp(options.signal?.reason as Error);
    const timer = setTimeout(() => giveUp(new CommandDeadlineError(argv, options.timeoutMs)), options.timeoutMs);
    const settled = () => {
      clearTimeout(timer);
      options.signal?.removeEventListener("abort", onAbort);
    };
    options.signal?.addEventListener("abort", onAbort, { once: true });
    child.once("error", (error) => { settled(); reject(error); });
    child.once("close", (status, signal) => { settled(); resolve({ status, signal }); });
  });
}
