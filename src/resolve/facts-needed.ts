import type { NodeConfig } from "../config/node-config.ts";
import { needsLifeCycle } from "./agent-labels.ts";
import { apiServerToResolve } from "./api-server-addresses.ts";
import { needsServiceIpv6Cidr, needsVpcBlocks } from "./cluster-dns.ts";
import { resolveLocalOutpost } from "./cluster.ts";
import { needsProxyExceptions } from "./environment.ts";
import { clusterFacts, needsDescribeCluster } from "./described-cluster.ts";
import type { Facts, InstanceFacts, Question } from "./facts.ts";
import { needsPrivateDnsName, resolveCloudProvider } from "./identity.ts";
import { knownFamily } from "./ip-family.ts";
import { parseKubeletVersion } from "./kubelet-version.ts";
import { needsLocalDisks } from "./local-disks.ts";
import { canonicalHostname, trustsImds } from "./local-hostname.ts";
import { needsInstanceType } from "./max-pods.ts";
import { fipsRegistryHost } from "./sandbox-image.ts";
import { parseUserArguments } from "./user-arguments.ts";

/**
 * What must be asked, given what is known: asked again with every answer, until it wants nothing new. Questions that are
 * answered may be in the list again.
 */
export function factsNeeded(config: NodeConfig, facts: Facts): readonly Question[] {
  const first: readonly Question[] = [
    { kind: "instance" },
    { kind: "host", credentialProvider: config.kubelet.credentialProvider?.value },
    { kind: "kubelet-version" },
    { kind: "containerd-version" },
    ...(needsLifeCycle(config) ? [{ kind: "life-cycle" } as const] : []),
    ...(trustsImds(config) && expectsPrivateDnsName(config) ? [{ kind: "local-hostname" } as const] : []),
    ...(needsLocalDisks(config) ? [{ kind: "local-disks" } as const] : []),
  ];
  return facts.instance === undefined ? first : [...first, ...questionsOfInstance(config, facts, facts.instance)];
}

/** The AWS APIs that will be asked as far as can be seen from the config and these facts: credentials and clients can be made ready for them. */
export function expectedAwsCalls(config: NodeConfig, facts: Facts = {}): readonly ("eks" | "ec2")[] {
  const asksEks = needsDescribeCluster(config) || needsServiceIpv6Cidr(config);
  const asksEc2 = expectsPrivateDnsName(config) && isNameOfEc2(config, facts);
  return [...(asksEks ? (["eks"] as const) : []), ...(asksEc2 ? (["ec2"] as const) : [])];
}

/** As long as kubelet's version is not known: all but old ones need it. */
function expectsPrivateDnsName(config: NodeConfig): boolean {
  const user = parseUserArguments(config.kubelet.flags);
  return needsPrivateDnsName(config, user, user.identity.get("cloud-provider")?.value ?? "external");
}

/** Not while IMDS may yet tell the name. */
function isNameOfEc2(config: NodeConfig, facts: Facts): boolean {
  if (!trustsImds(config)) return true;
  const ofImds = canonicalHostname(facts);
  return ofImds !== undefined && "failure" in ofImds;
}

function questionsOfInstance(config: NodeConfig, facts: Facts, instance: InstanceFacts): readonly Question[] {
  return [
    ...questionsOfCluster(config, instance),
    ...questionsOfNetwork(config, facts, instance),
    ...questionsOfName(config, facts, instance),
    ...questionsOfHost(config, facts, instance),
  ];
}

function questionsOfCluster(config: NodeConfig, instance: InstanceFacts): readonly Question[] {
  const patience = needsDescribeCluster(config) ? "until-deadline" : needsServiceIpv6Cidr(config) ? "one-try" : undefined;
  const name = config.cluster.name?.value;
  if (patience === undefined || name === undefined) return [];
  return [{ kind: "cluster", name, region: instance.region, accountId: instance.accountId, patience }];
}

function questionsOfNetwork(config: NodeConfig, facts: Facts, { mac }: InstanceFacts): readonly Question[] {
  const family = knownFamily(config)?.value ?? clusterFacts(facts)?.ipFamily;
  const host = apiServerToResolve(config, facts);
  return [
    ...(needsVpcBlocks(config, facts) || needsProxyExceptions(config) ? [{ kind: "vpc-ipv4-cidrs", mac } as const] : []),
    ...(family === "ipv6" ? [{ kind: "ipv6-address", mac } as const] : []),
    ...(host === undefined ? [] : [{ kind: "addresses", host } as const]),
  ];
}

/** Not before kubelet's version is known: below 1.26 the name is nobody's question, and EC2 may refuse to answer it. */
function questionsOfName(config: NodeConfig, facts: Facts, instance: InstanceFacts): readonly Question[] {
  const answer = facts.kubeletVersion;
  const version = answer !== undefined && "value" in answer ? parseKubeletVersion(answer.value.version) : undefined;
  if (version === undefined) return [];
  const user = parseUserArguments(config.kubelet.flags);
  const cloudProvider = resolveCloudProvider(version, resolveLocalOutpost(config, facts).value, user);
  if (!needsPrivateDnsName(config, user, cloudProvider.value) || !isNameOfEc2(config, facts)) return [];
  return [{ kind: "private-dns-name", region: instance.region, instanceId: instance.id }];
}

function questionsOfHost(config: NodeConfig, facts: Facts, instance: InstanceFacts): readonly Question[] {
  if (facts.host === undefined) return [];
  const fipsHost = fipsRegistryHost(config.image, facts.host, instance);
  return [
    ...(needsInstanceType(config, facts, instance) ? [{ kind: "instance-type", region: instance.region, type: instance.type } as const] : []),
    ...(fipsHost === undefined ? [] : [{ kind: "resolves", host: fipsHost } as const]),
  ];
}
