import { AgentError } from "../errors.ts";
import type { ErrorCode } from "../errors.ts";
import { NoAnswer } from "../io/no-answer.ts";
import { GaveUp } from "../io/retry.ts";
import type { Verdict } from "../io/retry.ts";

export type FailureDetails = {
  readonly verdict: Verdict;
  /** What the operator is told if it is final. */
  readonly code: ErrorCode;
  readonly remedy: string;
  readonly cause?: unknown;
};

/** An answer that is no value: what to do about it, and what it means if it does not pass. The message is the reason alone. */
export class RemoteFailure extends Error {
  readonly verdict: Verdict;
  readonly code: ErrorCode;
  readonly remedy: string;

  constructor(reason: string, details: FailureDetails) {
    super(reason, details.cause === undefined ? undefined : { cause: details.cause });
    this.name = "RemoteFailure";
    this.verdict = details.verdict;
    this.code = details.code;
    this.remedy = details.remedy;
  }
}

/** Connections that fail may work later; whatever has no verdict of its own is a bug or an AgentError, and final. */
export function verdictOf(error: unknown): Verdict {
  if (error instanceof RemoteFailure) return error.verdict;
  if (error instanceof NoAnswer) return error.code === "TOO_LARGE" ? "brief" : "retry";
  return "fatal";
}

/**
 * The end of what was tried as the operator is told of it; undefined when `error` is not a failure of the remote.
 *
 * @param task the beginning of the sentence: `Cannot read "meta-data/mac" of IMDS at http://169.254.169.254`
 * @param unreachableRemedy for failures of the connection
 */
export function asAgentError(error: unknown, task: string, unreachableRemedy: string): unknown {
  const cause = error instanceof GaveUp ? error.cause : error;
  const told = toldAs(cause, unreachableRemedy);
  if (told === undefined) return cause;
  return new AgentError(told.code, `${task}: ${told.reason}${triesOf(error)}`, { remedy: told.remedy, cause });
}

type Told = { readonly code: ErrorCode; readonly reason: string; readonly remedy: string };

function toldAs(cause: unknown, unreachableRemedy: string): Told | undefined {
  if (cause instanceof RemoteFailure) return { code: cause.code, reason: cause.message, remedy: cause.remedy };
  if (!(cause instanceof NoAnswer)) return undefined;
  const remedy = isTrustFailure(cause.code) ? TRUST_REMEDY : unreachableRemedy;
  return { code: cause.code === "TOO_LARGE" ? "remote-nonsense" : "unreachable", reason: cause.message, remedy };
}

const TRUST_REMEDY =
  "Something between this instance and AWS shows a certificate that is not trusted here: let AWS_CA_BUNDLE name a file with its certificate authority, or install that in the machine's bundle.";

function isTrustFailure(code: string): boolean {
  return /CERT|UNABLE_TO_/.test(code);
}

function triesOf(error: unknown): string {
  if (!(error instanceof GaveUp) || error.tries < 2) return "";
  return ` (${error.tries} tries in ${Math.round(error.elapsedMs / 1000)} s)`;
}
