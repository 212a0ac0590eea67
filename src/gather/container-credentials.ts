import { readFile } from "node:fs/promises";
import { AgentError, errnoOf } from "../errors.ts";
import { directHttp, proxiedHttp } from "../io/http.ts";
import type { HttpResponse } from "../io/exchange.ts";
import type { Try } from "../io/retry.ts";
import type { Credentials } from "../io/smithy.ts";
import { readTrust } from "../io/tls-trust.ts";
import type { Environment } from "../io/tls-trust.ts";
import { parseCredentials } from "./credentials-answer.ts";
import { observedRequest } from "./events.ts";
import { RemoteFailure } from "./failures.ts";
import { persistently } from "./persistently.ts";
import type { RetryContext } from "./persistently.ts";
import { IMDS_POLICY } from "./policies.ts";

/** Of Amazon ECS, to which a relative URI belongs. */
const ECS_ORIGIN = "http://169.254.170.2";

/**
 * Where the credentials of this container are, as AWS's SDKs find them: AWS_CONTAINER_CREDENTIALS_RELATIVE_URI, else
 * AWS_CONTAINER_CREDENTIALS_FULL_URI. Undefined when neither is set.
 *
 * @throws AgentError "config-invalid" for a URL that the request's secret must not be sent to
 */
export function containerCredentialsUrl(environment: Environment): URL | undefined {
  const relative = environment["AWS_CONTAINER_CREDENTIALS_RELATIVE_URI"];
  const full = environment["AWS_CONTAINER_CREDENTIALS_FULL_URI"];
  if (relative) return checked(ECS_ORIGIN + relative, "AWS_CONTAINER_CREDENTIALS_RELATIVE_URI", relative);
  return full ? checked(full, "AWS_CONTAINER_CREDENTIALS_FULL_URI", full) : undefined;
}

function checked(text: string, variable: string, value: string): URL {
  const url = URL.canParse(text) ? new URL(text) : undefined;
  const isRight = url !== undefined && (variable.includes("FULL") ? isSafe(url) : url.origin === ECS_ORIGIN);
  if (isRight) return url;
  throw new AgentError("config-invalid", `Cannot fetch credentials from "${value}" (${variable}): it is neither https nor on this machine`, {
    remedy: `Correct ${variable}, or unset it to use the role of the instance.`,
  });
}

/** Of the EKS Pod Identity agent: without TLS no more than these and the loopback are reached without leaving the machine. */
const LINK_LOCAL = [ECS_ORIGIN, "http://169.254.170.23", "http://[fd00:ec2::23]"].map((origin) => new URL(origin).hostname);

function isSafe({ protocol, hostname }: URL): boolean {
  if (protocol === "https:") return true;
  return protocol === "http:" && (LINK_LOCAL.includes(hostname) || /^(localhost|\[::1\]|127\.\d+\.\d+\.\d+)$/.test(hostname));
}

/**
 * @throws AgentError when they cannot be had until the deadline
 */
export async function fetchContainerCredentials(url: URL, context: RetryContext & { readonly environment: Environment }): Promise<Credentials> {
  const task = `Cannot get the container's credentials from ${url.origin}`;
  const http = url.protocol === "https:" ? proxiedHttp(context.environment, async () => ({ all: (await readTrust(context.environment)).certificates })) : directHttp();
  const ask = async (one: Try): Promise<HttpResponse> => {
    const headers = await authorization(context.environment);
    return observedRequest(context, { service: "container", target: "credentials", attempt: one.number }, () =>
      http.request({ method: "GET", url: url.href, headers, timeoutMs: one.timeoutMs, signal: context.signal }),
    );
  };
  try {
    return await persistently(context, { service: "container", target: "credentials", task, remedy: REMEDY, policy: IMDS_POLICY }, async (one) => read(await ask(one)));
  } finally {
    await http.close();
  }
}

const REMEDY = "Check that the agent that gives this container its credentials runs (ECS, EKS Pod Identity), or unset AWS_CONTAINER_CREDENTIALS_FULL_URI.";

/** The file is read each time, since its token is replaced while the container runs. */
async function authorization(environment: Environment): Promise<Readonly<Record<string, string>>> {
  const file = environment["AWS_CONTAINER_AUTHORIZATION_TOKEN_FILE"];
  const token = file ? await readToken(file) : environment["AWS_CONTAINER_AUTHORIZATION_TOKEN"]?.trim();
  if (!token) return {};
  if (/^[\x20-\x7e]+$/.test(token)) return { authorization: token };
  throw new AgentError("config-invalid", "Cannot use the token that AWS_CONTAINER_AUTHORIZATION_TOKEN or its file gives: it is not one line of text", {
    remedy: "Let it hold the token alone.",
  });
}

async function readToken(file: string): Promise<string> {
  try {
    return (await readFile(file, "utf8")).trim();
  } catch (error) {
    if (errnoOf(error) === undefined) throw error;
    throw new AgentError("source-unreadable", `Cannot read "${file}", named by AWS_CONTAINER_AUTHORIZATION_TOKEN_FILE: ${errnoOf(error)}`, {
      remedy: "Let the file be there and readable, or unset the variable.",
      cause: error,
    });
  }
}

function read({ status, body }: HttpResponse): Credentials {
  if (status === 429 || status >= 500) throw new RemoteFailure(`it fails with status ${status}`, { verdict: "retry", code: "unreachable", remedy: REMEDY });
  if (status !== 200) throw new RemoteFailure(`it refuses with status ${status}`, { verdict: "brief", code: "access-denied", remedy: REMEDY });
  const answer = parseCredentials(body.toString("utf8"));
  if (answer?.kind === "given") return answer.credentials;
  throw new RemoteFailure("the answer is malformed", { verdict: "brief", code: "remote-nonsense", remedy: REMEDY });
}
