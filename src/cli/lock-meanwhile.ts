import { acquireLock } from "../apply/lock.ts";
import type { Machine } from "../apply/machine.ts";

export type LockMeanwhile = {
  /** Settled when the lock is held, or could not be had. */
  readonly held: Promise<void>;
  /** Gives the lock back, or stops waiting for it. */
  readonly release: () => Promise<void>;
};

/** Takes the lock beside what the caller does in the meantime. */
export function lockMeanwhile(machine: Machine, timeoutMs: number, signal: AbortSignal): LockMeanwhile {
  const given = new AbortController();
  const lock = acquireLock(machine, { timeoutMs, signal: AbortSignal.any([signal, given.signal]) });
  const held = lock.then(() => undefined);
  // The caller may fail before it looks at the lock.
  held.catch(() => undefined);
  return {
    held,
    release: async () => {
      given.abort();
      const [result] = await Promise.allSettled([lock]);
      if (result.status === "fulfilled") await result.value.release();
    },
  };
}
