import type { Change, Observed, Plan, RecordedCommandLine } from "../plan/plan.ts";

/** One run's work: how the machine shall be, how it was found, and the steps in between. */
export type Work = {
  readonly plan: Plan;
  readonly observed: Observed;
  readonly changes: readonly Change[];
  /** To be remembered for runs without one. */
  readonly commandLine: RecordedCommandLine | undefined;
};
