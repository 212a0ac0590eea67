/**
 * What an operator is told when a run ends early.
 *
 * Exit numbers are from sysexits(3), whose names systemd knows in RestartPreventExitStatus= and prints in the journal.
 * EX_TEMPFAIL (75) is the only one that a later try, with nothing changed, may cure: the unit restarts on it alone.
 */
export const EXIT_STATUS = {
  usage: 64,
  "last-run-broken": 65,
  "no-config": 66,
  "no-last-run": 66,
  "unit-not-up": 69,
  "disks-failed": 69,
  bug: 70,
  "program-missing": 72,
  "write-failed": 73,
  unreachable: 75,
  throttled: 75,
  "cluster-not-ready": 75,
  "lock-busy": 75,
  "remote-nonsense": 76,
  "access-denied": 77,
  "no-instance-profile": 77,
  "not-root": 77,
  "source-unreadable": 77,
  "cluster-not-found": 78,
  "cluster-unusable": 78,
  "config-invalid": 78,
  "disks-in-use": 78,
  "preflight-failed": 78,
} as const;

export type ErrorCode = keyof typeof EXIT_STATUS;

export type ErrorDetails = {
  /** What the operator can do now: a sentence, with the command or option where there is one. */
  readonly remedy: string;
  readonly cause?: unknown;
  /** Further lines, shown under the message as they are: journal lines, a list of problems. */
  readonly lines?: readonly string[];
};

/** An end of the run that the operator can understand and act on. Everything else that is thrown is a bug. */
export class AgentError extends Error {
  readonly code: ErrorCode;
  readonly remedy: string;
  readonly lines: readonly string[];

  constructor(code: ErrorCode, message: string, details: ErrorDetails) {
    super(message, details.cause === undefined ? undefined : { cause: details.cause });
    this.name = "AgentError";
    this.code = code;
    this.remedy = details.remedy;
    this.lines = details.lines ?? [];
  }

  get exitStatus(): number {
    return EXIT_STATUS[this.code];
  }
}

/** Whether `error` is a Node system error with this errno name, such as "ENOENT". */
export function isErrno(error: unknown, name: string): boolean {
  return errnoOf(error) === name;
}

/** The errno name of a system error, such as "ENOSPC"; undefined for any other value. */
export function errnoOf(error: unknown): string | undefined {
  return error instanceof Error && "code" in error && typeof error.code === "string" ? error.code : undefined;
}
