import type { NodeConfig } from "../config/node-config.ts";
import { AgentError } from "../errors.ts";
import { type Sourced, sourced } from "../lib/sourced.ts";
import type { Cluster } from "./cluster.ts";
import type { Facts, InstanceFacts } from "./facts.ts";
import type { KubeletVersion } from "./kubelet-version.ts";
import type { UserArguments } from "./user-arguments.ts";

/** Kubelet's in-tree AWS cloud provider went in 1.27; from 1.26 on, EKS runs nodes with the external one. */
const EXTERNAL_CLOUD_PROVIDER_SINCE = 26;

/** How the node is known to the control plane. */
export type Identity = {
  readonly nodeIp: Sourced<string>;
  readonly cloudProvider: Sourced<string>;
  /** Undefined with the in-tree cloud provider, which finds the name out by itself. */
  readonly hostnameOverride: Sourced<string> | undefined;
  readonly providerId: Sourced<string> | undefined;
};

export function usesExternalCloudProvider(version: KubeletVersion, isLocalOutpost: boolean): boolean {
  return version.minor >= EXTERNAL_CLOUD_PROVIDER_SINCE || isLocalOutpost;
}

/** Whether EC2's PrivateDnsName becomes the node's name. */
export function needsPrivateDnsName(config: NodeConfig, user: UserArguments, isExternal: boolean): boolean {
  return isExternal && config.kubelet.nodeName?.value !== "instance-id" && user.identity.get("hostname-override") === undefined;
}

export function resolveIdentity(
  config: NodeConfig,
  facts: Facts,
  instance: InstanceFacts,
  cluster: Cluster,
  version: KubeletVersion,
  user: UserArguments,
): Identity {
  const isExternal = usesExternalCloudProvider(version, cluster.isLocalOutpost.value);
  return {
    nodeIp: user.identity.get("node-ip") ?? resolveNodeIp(facts, instance, cluster),
    cloudProvider: user.identity.get("cloud-provider") ?? sourced(isExternal ? "external" : "aws", cloudProviderSource(version, cluster)),
    hostnameOverride: user.identity.get("hostname-override") ?? (isExternal ? resolveNodeName(config, facts, instance) : undefined),
    providerId: isExternal ? sourced(`aws:///${instance.zone}/${instance.id}`, "IMDS") : undefined,
  };
}

function cloudProviderSource(version: KubeletVersion, cluster: Cluster): string {
  return cluster.isLocalOutpost.value ? "local cluster on Outposts" : `kubelet ${version.text}`;
}

function resolveNodeIp(facts: Facts, instance: InstanceFacts, cluster: Cluster): Sourced<string> {
  if (cluster.ipFamily.value === "ipv6") return ipv6Address(facts);
  if (instance.localIpv4 !== undefined) return sourced(instance.localIpv4, "IMDS local-ipv4");
  throw noAddress("IPv4", "this instance has no private IPv4 address", "Give --ip-family ipv6 with --service-ipv6-cidr if the cluster is an IPv6 one.");
}

function ipv6Address(facts: Facts): Sourced<string> {
  const answer = facts.ipv6Address;
  if (answer !== undefined && "value" in answer) return sourced(answer.value, "IMDS ipv6s");
  throw noAddress("IPv6", answer?.failure ?? "IMDS was not asked", "Assign an IPv6 address to the primary network interface: the launch template or subnet decides.");
}

function noAddress(family: string, why: string, remedy: string): AgentError {
  return new AgentError("config-invalid", `Cannot find the node's ${family} address: ${why}`, { remedy });
}

function resolveNodeName(config: NodeConfig, facts: Facts, instance: InstanceFacts): Sourced<string> {
  const choice = config.kubelet.nodeName;
  if (choice?.value === "instance-id") return sourced(instance.id, choice.source);
  if (facts.privateDnsName === undefined) throw new Error("EC2 was not asked for PrivateDnsName although the node's name depends on it");
  return sourced(facts.privateDnsName, "ec2:DescribeInstances PrivateDnsName");
}
