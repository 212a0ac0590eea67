import { SYSTEM_CLOCK } from "../io/retry.ts";

/** When something was done, in milliseconds since 1970 and of a clock that never goes back, and whether it succeeded. */
export type TimedOutcome = { readonly startMs: number; readonly durationMs: number; readonly outcome: "done" | "failed" };

/** Does something, and tells of it in success and in failure. */
export async function timed<T>(action: () => T | Promise<T>, tell: (timed: TimedOutcome) => void): Promise<{ readonly value: T; readonly durationMs: number }> {
  const startMs = SYSTEM_CLOCK.now();
  const ended = (outcome: TimedOutcome["outcome"]): TimedOutcome => ({ startMs, durationMs: SYSTEM_CLOCK.now() - startMs, outcome });
  try {
    const value = await action();
    const done = ended("done");
    tell(done);
    return { value, durationMs: done.durationMs };
  } catch (error) {
    tell(ended("failed"));
    throw error;
  }
}
