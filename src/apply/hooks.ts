import type { Change } from "../plan/plan.ts";

/** Tells the operator something that does not stop the run: a short, stable code and a sentence. */
export type AddNote = (code: string, message: string) => void;

/** What a run reports to, and what ends it early. */
export type Hooks = {
  readonly note: AddNote;
  /** Takes the step; may log and time it. */
  readonly onStep: (change: Change, take: () => Promise<void>) => Promise<void>;
  /** Aborted by SIGTERM and SIGINT: the current file is finished, then its reason is thrown. */
  readonly signal?: AbortSignal;
};
