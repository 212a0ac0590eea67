import type { ErrorCode } from "../errors.ts";
import type { HttpResponse } from "../io/exchange.ts";
import { RemoteFailure } from "./failures.ts";

/**
 * What IMDS's answer means: the value that `read` makes of it, or undefined when there is none (404).
 *
 * @throws RemoteFailure when it is neither
 */
export function valueOf<T>(response: HttpResponse, read: (response: HttpResponse) => T): T | undefined {
  if (response.status === 404) return undefined;
  if (response.status !== 200) throw statusFailure(response.status);
  if (isHtml(response)) throw nonsense("the answer is a page of HTML");
  return read(response);
}

/**
 * The value in a body of text; `isSecret` keeps it out of messages.
 *
 * @throws RemoteFailure when it is empty or cannot be the value
 */
export function parsedText<T>(body: Buffer, parse: (text: string) => T | undefined, isSecret: boolean): T {
  const text = body.toString("utf8").trim();
  if (text === "") throw new RemoteFailure("the answer is empty", { verdict: "retry", code: "unreachable", remedy: NONSENSE_REMEDY });
  const value = parse(text);
  if (value === undefined) throw nonsense(isSecret ? "the answer is malformed" : `"${text.slice(0, 100)}" cannot be the value`);
  return value;
}

function isHtml({ headers, body }: HttpResponse): boolean {
  if (headers["content-type"]?.startsWith("text/html")) return true;
  const start = body.toString("latin1", 0, 100).trimStart();
  // Regular expressions cost time to make, this one above all.
  return start.startsWith("<") && /^<(!doctype|html)\b/i.test(start);
}

function nonsense(reason: string): RemoteFailure {
  return new RemoteFailure(reason, { verdict: "brief", code: "remote-nonsense", remedy: NONSENSE_REMEDY });
}

const NONSENSE_REMEDY = "Something other than IMDS answers at this address: look for a proxy or a redirection of it on this instance.";

function statusFailure(status: number): RemoteFailure {
  if (status === 429) return new RemoteFailure("it is throttled (429)", { verdict: "retry", code: "throttled", remedy: THROTTLED_REMEDY });
  if (status >= 500) return new RemoteFailure(`it fails with status ${status}`, { verdict: "retry", code: "unreachable", remedy: UNREACHABLE_REMEDY });
  return refusal(status) ?? unexpectedStatus(status);
}

/** A status that IMDS does not have there. */
export function unexpectedStatus(status: number): RemoteFailure {
  return new RemoteFailure(`it answers with status ${status}`, { verdict: "fatal", code: "remote-nonsense", remedy: NONSENSE_REMEDY });
}

function refusal(status: number): RemoteFailure | undefined {
  const found = REFUSALS.find((candidate) => candidate.status === status);
  return found === undefined ? undefined : new RemoteFailure(found.reason, { verdict: "fatal", code: found.code, remedy: found.remedy });
}

const REFUSALS: readonly { readonly status: number; readonly reason: string; readonly code: ErrorCode; readonly remedy: string }[] = [
  {
    status: 400,
    reason: "it refuses the request (400)",
    code: "config-invalid",
    remedy: "A token's life is from 1 to 21600 seconds: check IMDS_TOKEN_TTL_SECONDS.",
  },
  {
    status: 401,
    reason: "it refuses the token that it gave a moment ago (401)",
    code: "access-denied",
    remedy: "Check that nothing on this instance stands between the agent and IMDS.",
  },
  {
    status: 403,
    reason: "it refuses (403), as it does when it is turned off",
    code: "access-denied",
    remedy: "Turn it on: aws ec2 modify-instance-metadata-options --http-endpoint enabled --instance-id ID. Nothing may add X-Forwarded-For to the request.",
  },
];

const THROTTLED_REMEDY = "Find out what on this instance asks IMDS so often; the agent's unit tries again.";

/** For connections that fail. */
export const UNREACHABLE_REMEDY =
  "Check that the instance's metadata options have HttpEndpoint=enabled, that nothing here blocks the way to it, and in a container that HttpPutResponseHopLimit is at least 2.";
