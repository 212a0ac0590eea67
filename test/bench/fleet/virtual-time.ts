import { setImmediate } from "node:timers/promises";

/** Time that passes only from one event to the next, so that hours take as long as what is done in them. */
export type VirtualTime = {
  /** Milliseconds since the beginning. */
  readonly now: () => number;
  readonly sleep: (ms: number) => Promise<void>;
  /** Lets time pass until nobody sleeps any more. */
  readonly run: () => Promise<void>;
};

/** Time goes in such steps, and every sleep takes one at least. What happens in the same step costs one turn of the event loop. */
const STEP_MS = 10;

export function virtualTime(): VirtualTime {
  const sleepers = new Map<number, (() => void)[]>();
  let step = 0;
  return {
    now: () => step * STEP_MS,
    sleep: (ms) =>
      new Promise((wake) => {
        const wakesAt = step + Math.max(1, Math.ceil(ms / STEP_MS));
        const others = sleepers.get(wakesAt);
        if (others === undefined) sleepers.set(wakesAt, [wake]);
        else others.push(wake);
      }),
    run: async () => {
      for (; sleepers.size > 0; step += 1) {
        const woken = sleepers.get(step) ?? [];
        sleepers.delete(step);
        if (woken.length === 0) continue;
        // In the order in which they went to sleep, so that the same fleet always has the same end.
        for (const wake of woken) wake();
        // They go on in microtasks until they sleep again; all of these run before the next macrotask.
        await setImmediate();
      }
    },
  };
}
