import type { RecordEvent } from "../report/record.ts";
import type { Log } from "./log.ts";
import type { Phase } from "./phases.ts";

/** What a run has of the process it runs in. */
export type World = {
  readonly environment: Readonly<Record<string, string | undefined>>;
  readonly log: Log;
  readonly phase: Phase;
  /** Takes what happens, for the record of the run. */
  readonly record: RecordEvent;
  /** For what the operator asked to be shown; a closed pipe is no error. */
  readonly print: (text: string | Uint8Array) => void;
  readonly colour: boolean;
  /** Aborted by SIGTERM and SIGINT. */
  readonly signal: AbortSignal;
  readonly isRoot: boolean;
};
