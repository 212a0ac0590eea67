import { isJsonObject, parseJson } from "../lib/json.ts";
import type { Try } from "../io/retry.ts";
import { apiFailure, isAboutCredentials, notTheApi } from "./aws-errors.ts";
import type { AwsContext } from "./aws.ts";
import { apiHostOf, namedEndpoint } from "./aws-endpoint.ts";
import { observedRequest } from "./events.ts";
import { RemoteFailure } from "./failures.ts";
import { persistently } from "./persistently.ts";
import { AWS_POLICY } from "./policies.ts";
import type { EndpointVariant } from "./settings.ts";

export type Registry = {
  readonly region: string;
  /** The kind of endpoint that the registry's own name tells: the login is asked of the same. */
  readonly variant: EndpointVariant;
  /** DNS suffix of the partition, for regions that the table does not know. */
  readonly suffix: string;
};

/** A name and a password, as "name:password" in base64: what a registry takes as Basic authorization. Secret. */
export type RegistryLogin = string;

const TARGET = "GetAuthorizationToken";
const REMEDY = "Check the way from this subnet to the ECR API (NAT, a VPC endpoint for ecr.api, a proxy).";

/**
 * The login for the registries of a region that this node's credentials may use; good for 12 hours.
 *
 * @throws AgentError when it cannot be had
 */
export function fetchRegistryLogin(registry: Registry, aws: AwsContext): Promise<RegistryLogin> {
  const task = `Cannot log in to ECR in ${registry.region} (ecr:${TARGET})`;
  return persistently(aws, { service: "ecr", target: TARGET, task, remedy: REMEDY, policy: AWS_POLICY }, async (one) => readLogin(await askOnce(registry, aws, one)));
}

async function askOnce({ region, variant, suffix }: Registry, aws: AwsContext, one: Try): Promise<unknown> {
  const { signedHeaders } = await import("../io/smithy.ts");
  const url = namedEndpoint("ECR", aws.environment) ?? `https://${await hostOf(region, variant, suffix, aws)}`;
  const request = {
    method: "POST",
    url: `${url}/`,
    headers: { "content-type": "application/x-amz-json-1.1", "x-amz-target": `AmazonEC2ContainerRegistry_V20150921.${TARGET}` },
    body: "{}",
    service: "ecr",
    region,
  } as const;
  const headers = await signedHeaders(request, await aws.credentials.get(), new Date(Date.now() + aws.clockOffset()));
  const sent = { method: request.method, url: request.url, headers, body: request.body, timeoutMs: one.timeoutMs, signal: aws.signal };
  const { status, body } = await observedRequest(aws, { service: "ecr", target: TARGET, attempt: one.number }, () => aws.requestAndNoteTime(sent));
  const answer = parseJson(body.toString("utf8"));
  if (answer === undefined) throw notTheApi(status, "JSON");
  if (status === 200) return answer;
  throw failure(answer, status, aws);
}

/** A registry's FIPS or dual-stack name says what to ask; a plain one leaves it to the environment and the kernel. */
async function hostOf(region: string, variant: EndpointVariant, suffix: string, aws: AwsContext): Promise<string | undefined> {
  const chosen = variant === "plain" ? await aws.variantOf("ecr_api", region, suffix) : variant;
  return apiHostOf("ecr_api", region, chosen, suffix, aws);
}

/** The name is after a "#" where it has a namespace. */
function failure(answer: unknown, status: number, aws: AwsContext): RemoteFailure {
  const { __type: type, message, Message } = isJsonObject(answer) ? answer : {};
  const name = typeof type === "string" ? type.slice(type.lastIndexOf("#") + 1) : "";
  if (isAboutCredentials(name)) aws.credentials.forget();
  const text = [message, Message].find((one) => typeof one === "string") ?? "";
  const deniedRemedy = `Allow ecr:${TARGET} to the instance's role (AmazonEC2ContainerRegistryPullOnly does).`;
  return apiFailure({ name, status, message: text }, { action: `ecr:${TARGET}`, deniedRemedy });
}

function readLogin(answer: unknown): RegistryLogin {
  const data = isJsonObject(answer) ? answer["authorizationData"] : undefined;
  const first: unknown = Array.isArray(data) ? data[0] : undefined;
  const token = isJsonObject(first) ? first["authorizationToken"] : undefined;
  // It becomes a line of a configuration file.
  if (typeof token === "string" && /^[A-Za-z0-9+/]{8,}={0,2}$/.test(token)) return token;
  throw new RemoteFailure("there is no login in the answer", { verdict: "brief", code: "remote-nonsense", remedy: "Check what answers in the place of ECR (AWS_ENDPOINT_URL_ECR, a proxy)." });
}
