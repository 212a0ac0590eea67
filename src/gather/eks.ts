import { AgentError } from "../errors.ts";
import type { HttpResponse } from "../io/exchange.ts";
import type { Http } from "../io/http.ts";
import type { Try } from "../io/retry.ts";
import type { ClusterFacts, Question } from "../resolve/facts.ts";
import { parseJson } from "../lib/json.ts";
import { apiFailure, isAboutCredentials, notTheApi } from "./aws-errors.ts";
import type { AwsContext } from "./aws.ts";
import { apiHostOf, namedEndpoint } from "./aws-endpoint.ts";
import { readCluster } from "./cluster-facts.ts";
import { observedRequest } from "./events.ts";
import { RemoteFailure } from "./failures.ts";
import { persistently } from "./persistently.ts";
import { AWS_POLICY, bootstrapPolicy } from "./policies.ts";
import { within } from "./within.ts";

type ClusterQuestion = Extract<Question, { kind: "cluster" }>;

/** Loads what DescribeCluster needs, which costs time that IMDS's answers leave. */
export async function loadEks(): Promise<void> {
  await Promise.all([import("@aws-sdk/client-eks"), import("../io/smithy.ts")]);
}

/**
 * The cluster, once it has an endpoint and a certificate authority.
 *
 * @throws AgentError when it cannot be had
 */
export async function describeCluster(question: ClusterQuestion, aws: AwsContext): Promise<ClusterFacts> {
  const patient = aws.describeClusterRetries === undefined ? AWS_POLICY : bootstrapPolicy(aws.describeClusterRetries);
  const policy = question.patience === "one-try" ? { ...AWS_POLICY, maxTries: 1 } : patient;
  return persistently(aws, { service: "eks", target: "DescribeCluster", task: taskOf(question), remedy: REMEDY, policy }, async (one) =>
    clusterOf(await askOnce(question, aws, one), question),
  );
}

/**
 * The same by a single try, for which `timeoutMs` are all there is, the way to the credentials included.
 *
 * @throws AgentError when it cannot be had
 */
export function describeClusterOnce(question: ClusterQuestion, aws: AwsContext, timeoutMs: number = AWS_POLICY.perTryMs): Promise<ClusterFacts> {
  const late = (): never => {
    throw new AgentError("unreachable", `${taskOf(question)}: no answer within ${timeoutMs / 1000} s`, { remedy: REMEDY });
  };
  return within(timeoutMs, aws.signal, (signal) => describeCluster({ ...question, patience: "one-try" }, { ...aws, signal }), late);
}

function taskOf({ name, region, accountId }: ClusterQuestion): string {
  return `Cannot describe EKS cluster "${name}" in ${region} (account ${accountId})`;
}

const WITHOUT_EKS = "give --apiserver-endpoint, --b64-cluster-ca and --service-ipv4-cidr, for which EKS is not asked";
const REMEDY = `Check the way from this subnet to the EKS API (NAT, a VPC endpoint for eks, a proxy), or ${WITHOUT_EKS}.`;

function clusterOf(cluster: unknown, { name, region }: ClusterQuestion): ClusterFacts {
  const state = readCluster(name, cluster);
  switch (state.kind) {
    case "ready":
      return state.facts;
    case "not-ready":
      throw new RemoteFailure(state.why, { verdict: "retry", code: "cluster-not-ready", remedy: `Wait until it is ACTIVE: aws eks wait cluster-active --name ${name} --region ${region}; the agent's unit tries again.` });
    case "unusable":
      throw new RemoteFailure(`it is ${state.status}`, { verdict: "fatal", code: "cluster-unusable", remedy: `Look at why: aws eks describe-cluster --name ${name} --region ${region}; no node can join it in this state.` });
    case "nonsense":
      throw new RemoteFailure(state.why, { verdict: "brief", code: "remote-nonsense", remedy: `Check what answers in the place of EKS (AWS_ENDPOINT_URL_EKS, a proxy), or ${WITHOUT_EKS}.` });
  }
}

async function askOnce(question: ClusterQuestion, aws: AwsContext, one: Try): Promise<unknown> {
  const [{ EKSClient, DescribeClusterCommand }, { smithyHandler }] = await Promise.all([import("@aws-sdk/client-eks"), import("../io/smithy.ts")]);
  const endpoint = namedEndpoint("EKS", aws.environment);
  const variant = endpoint === undefined ? await aws.variantOf("eks", question.region) : "plain";
  const host = apiHostOf("eks", question.region, variant, undefined, aws);
  const url = endpoint ?? (host === undefined ? undefined : `https://${host}`);
  if (url !== undefined) aws.http.openAhead(url);
  const client = new EKSClient({
    region: question.region,
    ...(endpoint === undefined ? {} : { endpoint }),
    useFipsEndpoint: variant.startsWith("fips"),
    useDualstackEndpoint: variant === "dualStack" || variant === "fipsDualStack",
    credentials: await aws.credentials.get(),
    // Tries, times and waits are the agent's own.
    maxAttempts: 1,
    retryMode: "standard",
    defaultsMode: "standard",
    // Given here, so that the SDK does not look for them in the files of root's home.
    authSchemePreference: [],
    userAgentAppId: () => Promise.resolve(undefined),
    disableClockSkewCorrection: false,
    systemClockOffset: aws.clockOffset(),
    requestHandler: smithyHandler(observed(aws, one), demandJson),
  });
  try {
    const options = { requestTimeout: one.timeoutMs, ...(aws.signal === undefined ? {} : { abortSignal: aws.signal }) };
    return (await client.send(new DescribeClusterCommand({ name: question.name }), options)).cluster;
  } catch (error) {
    throw meaningOf(error, question, aws);
  }
}

function observed(aws: AwsContext, one: Try): Http {
  const about = { service: "eks", target: "DescribeCluster", attempt: one.number } as const;
  return { ...aws.http, request: (request) => observedRequest(aws, about, () => aws.requestAndNoteTime(request)) };
}

/** The SDK's own words about a page of HTML help nobody. */
function demandJson({ status, body }: HttpResponse): void {
  if (parseJson(body.toString("utf8")) === undefined) throw notTheApi(status, "JSON");
}

function meaningOf(error: unknown, { name, region }: ClusterQuestion, aws: AwsContext): unknown {
  if (!isSdkError(error)) return error;
  if (isAboutCredentials(error.name)) aws.credentials.forget();
  if (error.name === "ResourceNotFoundException") {
    const remedy = `Check the name, and that the cluster is in this region and account: aws eks list-clusters --region ${region}.`;
    return new RemoteFailure(`there is no such cluster (${error.name})`, { verdict: "fatal", code: "cluster-not-found", remedy });
  }
  const { httpStatusCode: status = 0 } = error.$metadata;
  const deniedRemedy = `Allow eks:DescribeCluster on cluster "${name}" to the instance's role (AmazonEKSWorkerNodePolicy does), or ${WITHOUT_EKS}.`;
  return apiFailure({ name: error.name, status, message: error.message }, { action: "eks:DescribeCluster", deniedRemedy });
}

type SdkError = Error & { readonly $metadata: { readonly httpStatusCode?: number }; readonly $fault: unknown };

/** An error that EKS answered, not one of the way there, to which the SDK may have added its metadata. */
function isSdkError(error: unknown): error is SdkError {
  return error instanceof Error && "$fault" in error && "$metadata" in error;
}
