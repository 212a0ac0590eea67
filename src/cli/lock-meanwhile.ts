import { acquireLock, type Lock, type LockOptions } from "../apply/lock.ts";
import type { Machine } from "../apply/machine.ts";

export type LockMeanwhile = {
  /** Settled when the lock is held, or could not be had. */
  readonly held: Promise<void>;
  /** Gives the lock back, or stops waiting for it. */
  readonly release: () => Promise<void>;
};

/**
 * Takes the lock beside what the caller does in the meantime.
 *
 * @param after settled when there is time for it: to start a program and to look at what it says costs the caller's time
 */
export function lockMeanwhile(machine: Machine, after: Promise<unknown>, { timeoutMs, signal }: Required<LockOptions>): LockMeanwhile {
  const given = new AbortController();
  let lock: Promise<Lock> | undefined;
  const take = async (): Promise<void> => {
    await after;
    given.signal.throwIfAborted();
    lock = acquireLock(machine, { timeoutMs, signal: AbortSignal.any([signal, given.signal]) });
    await lock;
  };
  const held = take();
  // The caller may fail before it looks at the lock.
  held.catch(() => undefined);
  return {
    held,
    release: async () => {
      given.abort();
      const [result] = await Promise.allSettled([lock]);
      if (result.status === "fulfilled") await result.value?.release();
    },
  };
}
