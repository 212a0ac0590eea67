/** A program to be run. */
export type Program = {
  /** Its name, by its absolute path or to be found on this process's PATH, and its arguments. */
  readonly argv: readonly string[];
  /** All of its environment. */
  readonly env: Readonly<Record<string, string>>;
  /** Our descriptors that it gets as 3, 4, … They may be closed as soon as it runs. */
  readonly inheritFds: readonly number[];
  /** How many bytes are kept of its stdout, and of its stderr; it may write more. */
  readonly outputLimitBytes: number;
};

export type ProgramResult = {
  /** The exit status; null when a signal ended it. */
  readonly status: number | null;
  /** The signal that ended it, such as "SIGSEGV". */
  readonly signal: string | null;
  readonly stdout: string;
  readonly stderr: string;
};

export type RunningProgram = {
  /** Settled when it has ended and nobody writes to its outputs any more. Rejects with the system error when it could not be started. */
  readonly ended: Promise<ProgramResult>;
  /** Ends it with SIGKILL, if it still runs, and waits no more for its outputs. */
  readonly kill: () => void;
};

/** A way to run programs, without a shell. */
export type StartProgram = (program: Program) => RunningProgram;
