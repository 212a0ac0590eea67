import { setTimeout as sleep } from "node:timers/promises";

export type PollOptions = {
  readonly timeoutMs: number;
  /** The first pause; each is half as long again as the one before, up to half a second. */
  readonly firstPauseMs: number;
  readonly signal?: AbortSignal;
};

const LONGEST_PAUSE_MS = 500;

/**
 * Asks until there is an answer other than undefined, and returns it; undefined when the time is over.
 *
 * @param ask gets the milliseconds since the first time it was asked
 * @throws the signal's reason when aborted, and what `ask` throws
 */
export async function poll<T>(ask: (sinceMs: number) => Promise<T | undefined>, options: PollOptions): Promise<T | undefined> {
  const start = performance.now();
  let pauseMs = options.firstPauseMs;
  while (true) {
    options.signal?.throwIfAborted();
    const answer = await ask(performance.now() - start);
    if (answer !== undefined) return answer;
    const leftMs = options.timeoutMs - (performance.now() - start);
    if (leftMs <= 0) return undefined;
    await pause(Math.min(pauseMs, leftMs), options.signal);
    pauseMs = Math.min(pauseMs * 1.5, LONGEST_PAUSE_MS);
  }
}

async function pause(ms: number, signal: AbortSignal | undefined): Promise<void> {
  try {
    await sleep(ms, undefined, signal ? { signal } : {});
  } catch (error) {
    signal?.throwIfAborted();
    throw error;
  }
}
