import { setImmediate } from "node:timers/promises";
import type { Try } from "../io/retry.ts";
import type { InstanceTypeFacts, Question } from "../resolve/facts.ts";
import { apiFailure, isAboutCredentials } from "./aws-errors.ts";
import type { ApiAction } from "./aws-errors.ts";
import type { AwsContext } from "./aws.ts";
import { apiHostOf, namedEndpoint } from "./aws-endpoint.ts";
import { loadXmlParser, readEc2Answer } from "./ec2-answer.ts";
import type { XmlElement } from "./ec2-answer.ts";
import { readInstanceType, readInstanceTypeDetails } from "./ec2-instance-type.ts";
import type { InstanceTypeDetails } from "./ec2-instance-type.ts";
import { observedRequest } from "./events.ts";
import { RemoteFailure } from "./failures.ts";
import { persistently } from "./persistently.ts";
import { AWS_POLICY, limitedPolicy } from "./policies.ts";

type Asked<Kind extends Question["kind"]> = Extract<Question, { kind: Kind }>;

/** Loads what a request to EC2 needs, which costs time that IMDS's answers leave. */
export async function loadEc2(): Promise<void> {
  await import("../io/smithy.ts");
}

/**
 * PrivateDnsName of the instance in lower case, once it has one.
 *
 * @param dnsSuffix of the partition, as IMDS says it
 * @throws AgentError when it cannot be had
 */
export async function fetchPrivateDnsName({ region, instanceId }: Asked<"private-dns-name">, dnsSuffix: string, aws: AwsContext): Promise<string> {
  const task = `Cannot find the private DNS name of ${instanceId} in ${region} (ec2:DescribeInstances)`;
  const { maxTries, intervalMs } = aws.privateDnsName ?? {};
  const policy = limitedPolicy(AWS_POLICY, maxTries, intervalMs);
  return persistently(aws, { service: "ec2", target: "DescribeInstances", task, remedy: `${REACH_EC2}, or ${WITHOUT_NAME}.`, policy }, async (one) => {
    const answer = await askOnce(DESCRIBE_INSTANCES, onlyInstance(instanceId), region, dnsSuffix, aws, one);
    return readPrivateDnsName(answer);
  });
}

/**
 * By its ID, which is quickest for EC2, and by a filter that says the same: a request with neither filter nor pages has half the rate.
 *
 * Source: EC2 Developer Guide, "Request throttling for the Amazon EC2 API".
 */
function onlyInstance(instanceId: string): Readonly<Record<string, string>> {
  return { "InstanceId.1": instanceId, "Filter.1.Name": "instance-id", "Filter.1.Value.1": instanceId };
}

const REACH_EC2 = "Check the way from this subnet to the EC2 API (NAT, a VPC endpoint for ec2, a proxy)";
const WITHOUT_NAME =
  "use --node-name instance-id with the node's role mapped to system:node:{{SessionName}}, for example by an access entry of type EC2";

const DESCRIBE_INSTANCES: ApiAction = {
  action: "ec2:DescribeInstances",
  deniedRemedy: `Allow ec2:DescribeInstances to the instance's role (AmazonEKSWorkerNodePolicy does), or ${WITHOUT_NAME}.`,
};

function readPrivateDnsName(answer: XmlElement): string {
  const instances = answer.all("reservationSet/item/instancesSet/item");
  const [instance] = instances;
  if (instance === undefined) throw notYet("EC2 does not know it yet (no instance in its answer)");
  if (instances.length > 1) throw nonsense(`the answer has ${instances.length} instances in place of one`);
  const name = instance.text("privateDnsName")?.toLowerCase();
  if (name === undefined) throw notYet("it has none yet, as before it is running");
  if (!isHostName(name)) throw nonsense(`"${name.slice(0, 100)}" is not a host name`);
  return name;
}

/** RFC 1123. */
function isHostName(name: string): boolean {
  return name.length <= 253 && name.split(".").every((label) => /^[a-z0-9]([a-z0-9-]{0,61}[a-z0-9])?$/.test(label));
}

/**
 * Interfaces and addresses of an instance type.
 *
 * @throws AgentError when they cannot be had
 */
export async function fetchInstanceType(asked: Asked<"instance-type">, dnsSuffix: string, aws: AwsContext): Promise<InstanceTypeFacts> {
  return describeType(asked, dnsSuffix, aws, readInstanceType);
}

/**
 * The same with processors and hypervisor.
 *
 * @throws AgentError when they cannot be had
 */
export async function fetchInstanceTypeDetails(asked: Asked<"instance-type">, dnsSuffix: string, aws: AwsContext): Promise<InstanceTypeDetails> {
  return describeType(asked, dnsSuffix, aws, readInstanceTypeDetails);
}

async function describeType<T extends object>(
  { region, type }: Asked<"instance-type">,
  dnsSuffix: string,
  aws: AwsContext,
  read: (answer: XmlElement, type: string) => T | string,
): Promise<T> {
  const task = `Cannot describe instance type "${type}" in ${region} (ec2:DescribeInstanceTypes)`;
  return persistently(aws, { service: "ec2", target: "DescribeInstanceTypes", task, remedy: `${REACH_EC2}.`, policy: AWS_POLICY }, async (one) => {
    const answer = await askOnce(DESCRIBE_INSTANCE_TYPES, { "InstanceType.1": type }, region, dnsSuffix, aws, one);
    const facts = read(answer, type);
    if (typeof facts === "string") throw nonsense(facts);
    return facts;
  });
}

const DESCRIBE_INSTANCE_TYPES: ApiAction = {
  action: "ec2:DescribeInstanceTypes",
  deniedRemedy: "Allow ec2:DescribeInstanceTypes to the instance's role (AmazonEKSWorkerNodePolicy does), or set maxPods in the kubelet's configuration.",
};

async function askOnce(
  action: ApiAction,
  parameters: Readonly<Record<string, string>>,
  region: string,
  dnsSuffix: string,
  aws: AwsContext,
  one: Try,
): Promise<XmlElement> {
  const { signedHeaders } = await import("../io/smithy.ts");
  const name = action.action.slice("ec2:".length);
  const url = `${await endpointOf(region, dnsSuffix, aws)}/`;
  aws.http.openAhead(url);
  const request = {
    method: "POST",
    url,
    headers: { "content-type": "application/x-www-form-urlencoded; charset=utf-8" },
    body: new URLSearchParams({ Action: name, Version: "2016-11-15", ...parameters }).toString(),
    service: "ec2",
    region,
  } as const;
  const headers = await signedHeaders(request, await aws.credentials.get(), new Date(Date.now() + aws.clockOffset()));
  const sent = { method: request.method, url: request.url, headers, body: request.body, timeoutMs: one.timeoutMs, signal: aws.signal };
  const asked = observedRequest(aws, { service: "ec2", target: name, attempt: one.number }, () => aws.requestAndNoteTime(sent));
  // What reads the answer is loaded when the request has gone out.
  const [answer] = await Promise.all([asked, setImmediate().then(loadXmlParser)]);
  const read = await readEc2Answer(answer);
  if (read.kind === "answer") return read.root;
  if (isAboutCredentials(read.error.name)) aws.credentials.forget();
  // EC2 is eventually consistent: it may not know yet the instance that asks.
  if (read.error.name === "InvalidInstanceID.NotFound") throw notYet("EC2 does not know it yet (InvalidInstanceID.NotFound)");
  throw apiFailure(read.error, action);
}

async function endpointOf(region: string, dnsSuffix: string, aws: AwsContext): Promise<string> {
  const named = namedEndpoint("EC2", aws.environment);
  return named ?? `https://${apiHostOf("ec2", region, await aws.variantOf("ec2", region, dnsSuffix), dnsSuffix, aws)}`;
}

function notYet(reason: string): RemoteFailure {
  return new RemoteFailure(reason, { verdict: "retry", code: "unreachable", remedy: `Wait for the instance to be running; the agent's unit tries again. Or ${WITHOUT_NAME}.` });
}

function nonsense(reason: string): RemoteFailure {
  return new RemoteFailure(reason, { verdict: "brief", code: "remote-nonsense", remedy: "Check what answers in the place of EC2 (AWS_ENDPOINT_URL_EC2, a proxy)." });
}
