import { retry } from "../io/retry.ts";
import type { RetryPolicy, Try } from "../io/retry.ts";
import { reasonOf } from "./events.ts";
import type { Service } from "./events.ts";
import { asAgentError, verdictOf } from "./failures.ts";
import type { GatherSettings } from "./settings.ts";

export type RetryContext = Pick<GatherSettings, "deadlineAt" | "clock" | "onEvent"> & { readonly signal?: AbortSignal | undefined };

export type Task = {
  readonly service: Service;
  /** A path of IMDS, or the name of an action. */
  readonly target: string;
  /** Begins the sentence that says what could not be done: `Cannot read "mac" from IMDS`. */
  readonly task: string;
  /** For connections that fail. */
  readonly remedy: string;
  readonly policy: RetryPolicy;
};

/**
 * Tries until it succeeds, or as long as the policy and the deadline allow.
 *
 * @throws AgentError when it did not succeed, the signal's reason when aborted
 */
export async function persistently<T>(context: RetryContext, { service, target, task, remedy, policy }: Task, attempt: (one: Try) => Promise<T>): Promise<T> {
  try {
    return await retry(attempt, {
      ...context,
      policy,
      classify: verdictOf,
      onRetry: ({ error, failures, delayMs }) => context.onEvent({ kind: "retry", service, target, failures, delayMs, reason: reasonOf(error) }),
    });
  } catch (error) {
    throw asAgentError(error, task, remedy);
  }
}
