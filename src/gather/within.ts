import { setTimeout as sleep } from "node:timers/promises";

/**
 * The answer, or what `late` makes of there being none after `ms`: whatever is then still asked is told to end, and left behind.
 *
 * @throws what `answer` or `late` throws, the signal's reason when aborted
 */
export async function within<T>(ms: number, signal: AbortSignal | undefined, answer: (signal: AbortSignal) => Promise<T>, late: () => T): Promise<T> {
  const done = new AbortController();
  const either = signal === undefined ? done.signal : AbortSignal.any([signal, done.signal]);
  const both = [answer(either), sleep(ms, undefined, { signal: either }).then(late)];
  // The loser of the race may still fail.
  for (const one of both) one.catch(() => undefined);
  try {
    return await Promise.race(both);
  } catch (error) {
    signal?.throwIfAborted();
    throw error;
  } finally {
    done.abort();
  }
}
