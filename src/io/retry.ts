import { randomBytes } from "node:crypto";
import { setTimeout as sleep } from "node:timers/promises";

/** Time and chance, passed in so that a test or a simulation of a whole fleet has its own. */
export type Clock = {
  /** Milliseconds since 1970; never goes back. */
  readonly now: () => number;
  /** Rejects with the signal's reason when aborted. */
  readonly sleep: (ms: number, signal?: AbortSignal) => Promise<void>;
  /** From 0 up to, and not including, 1. */
  readonly random: () => number;
};

export const SYSTEM_CLOCK: Clock = {
  // Not Date.now(): the first NTP answer after a boot moves the machine's clock.
  now: () => performance.timeOrigin + performance.now(),
  sleep: async (ms, signal) => {
    await sleep(ms, undefined, signal === undefined ? {} : { signal }).catch((error: unknown) => {
      throw signal?.aborted ? signal.reason : error;
    });
  },
  // Not Math.random(): the executable has V8 begin with a seed that is the same on all nodes.
  random: () => randomBytes(RANDOM_BYTES).readUIntBE(0, RANDOM_BYTES) / 2 ** (8 * RANDOM_BYTES),
};

/** As many as a number can hold the bits of. */
const RANDOM_BYTES = 6;

/** Milliseconds to wait after so many failures, from 1. */
export type Delay = (failures: number, random: () => number) => number;

/** Anything from nothing to the exponential step: tries of a whole fleet spread out evenly. */
export function fullJitter(baseMs: number, capMs: number): Delay {
  return (failures, random) => random() * Math.min(capMs, baseMs * 2 ** (failures - 1));
}

/**
 * From half of the exponential step to all of it: no try comes so soon that it can only fail again. Its longest wait is shorter than full jitter's with the
 * same mean, so that the last nodes of a fleet join sooner for as many requests.
 */
export function halfJitter(baseMs: number, capMs: number): Delay {
  return (failures, random) => (0.5 + random() / 2) * Math.min(capMs, baseMs * 2 ** (failures - 1));
}

export function fixedDelay(ms: number): Delay {
  return () => ms;
}

/** What a failure means: worth waiting for until the deadline, worth a few quick tries, or final. */
export type Verdict = "retry" | "brief" | "fatal";

export type RetryPolicy = {
  readonly delay: Delay;
  /** Most milliseconds that one try may take. */
  readonly perTryMs: number;
  /** Tries in all; no limit but the deadline unless given. */
  readonly maxTries?: number;
  /** For "brief" failures: how long after the first of them in a row the last try may begin, and the waits between. */
  readonly brief: { readonly withinMs: number; readonly delay: Delay };
};

export type RetryOptions = {
  readonly policy: RetryPolicy;
  readonly clock: Clock;
  /** Time of `clock.now()` after which nothing is tried. */
  readonly deadlineAt: number;
  readonly classify: (error: unknown) => Verdict;
  readonly signal?: AbortSignal | undefined;
  /** Told of each failure that is tried again, before the wait. */
  readonly onRetry?: (retry: Retry) => void;
};

export type Retry = { readonly error: unknown; readonly failures: number; readonly delayMs: number };

export type Try = {
  /** From 1. */
  readonly number: number;
  /** What this try may take; never beyond the deadline. */
  readonly timeoutMs: number;
};

/** Thrown when a failure that may pass did not pass in time; `cause` is the last of them. */
export class GaveUp extends Error {
  readonly tries: number;
  readonly elapsedMs: number;

  constructor(cause: unknown, tries: number, elapsedMs: number) {
    super(cause instanceof Error ? cause.message : String(cause), { cause });
    this.name = "GaveUp";
    this.tries = tries;
    this.elapsedMs = elapsedMs;
  }
}

/**
 * Calls `attempt` until it succeeds.
 *
 * @throws the error itself when it is fatal, GaveUp when another try would come too late, the signal's reason when aborted
 */
export async function retry<T>(attempt: (one: Try) => Promise<T>, options: RetryOptions): Promise<T> {
  const { clock, signal, deadlineAt, policy } = options;
  const startedAt = clock.now();
  let briefSince: number | undefined;
  for (let number = 1; ; number += 1) {
    signal?.throwIfAborted();
    try {
      return await attempt({ number, timeoutMs: Math.max(1, Math.min(policy.perTryMs, deadlineAt - clock.now())) });
    } catch (error) {
      signal?.throwIfAborted();
      const verdict = options.classify(error);
      if (verdict === "fatal") throw error;
      briefSince = verdict === "brief" ? (briefSince ?? clock.now()) : undefined;
      const delayMs = delayBefore(number, briefSince, options);
      if (delayMs === undefined) throw new GaveUp(error, number, clock.now() - startedAt);
      options.onRetry?.({ error, failures: number, delayMs });
      await clock.sleep(delayMs, signal);
    }
  }
}

/** How long to wait after the `failures`th failure; undefined when there is no time or no try left. */
function delayBefore(failures: number, briefSince: number | undefined, options: RetryOptions): number | undefined {
  const { policy, clock, deadlineAt } = options;
  if (failures >= (policy.maxTries ?? Infinity)) return undefined;
  const delay = briefSince === undefined ? policy.delay : policy.brief.delay;
  const latest = briefSince === undefined ? deadlineAt : Math.min(deadlineAt, briefSince + policy.brief.withinMs);
  const delayMs = delay(failures, clock.random);
  return clock.now() + delayMs < latest ? delayMs : undefined;
}
