import type { NodeConfig } from "../config/node-config.ts";
import { AgentError } from "../errors.ts";
import { type Sourced, sourced } from "../lib/sourced.ts";
import type { Cluster } from "./cluster.ts";
import type { Facts, InstanceFacts } from "./facts.ts";
import type { KubeletVersion } from "./kubelet-version.ts";
import { canonicalHostname, trustsImds } from "./local-hostname.ts";
import type { AddNote } from "./notes.ts";
import type { UserArguments } from "./user-arguments.ts";

/** Kubelet's in-tree AWS cloud provider went in 1.27; from 1.26 on, EKS runs nodes with the external one. */
const EXTERNAL_CLOUD_PROVIDER_SINCE = 26;

const IN_TREE = "aws";

/** How the node is known to the control plane. */
export type Identity = {
  readonly nodeIp: Sourced<string>;
  readonly cloudProvider: Sourced<string>;
  /** Undefined with the in-tree cloud provider, which finds the name out by itself. */
  readonly hostnameOverride: Sourced<string> | undefined;
  readonly providerId: Sourced<string> | undefined;
};

export type IdentityInputs = {
  readonly config: NodeConfig;
  readonly facts: Facts;
  readonly instance: InstanceFacts;
  readonly cluster: Cluster;
  readonly version: KubeletVersion;
  readonly user: UserArguments;
};

export function resolveIdentity(inputs: IdentityInputs, addNote: AddNote): Identity {
  const { facts, instance, cluster, version, user } = inputs;
  const cloudProvider = resolveCloudProvider(version, cluster.isLocalOutpost.value, user);
  return {
    nodeIp: user.identity.get("node-ip") ?? resolveNodeIp(facts, instance, cluster),
    cloudProvider,
    hostnameOverride: user.identity.get("hostname-override") ?? resolveNodeName(inputs, cloudProvider, addNote),
    providerId: needsProviderId(version, cloudProvider.value) ? sourced(`aws:///${instance.zone}/${instance.id}`, "IMDS") : undefined,
  };
}

/** What the operator says, else "external", or "aws" for kubelets of old. */
export function resolveCloudProvider(version: KubeletVersion, isLocalOutpost: boolean, user: UserArguments): Sourced<string> {
  const own = user.identity.get("cloud-provider");
  if (own !== undefined) return own;
  if (version.minor >= EXTERNAL_CLOUD_PROVIDER_SINCE) return sourced("external", `kubelet ${version.text}`);
  return isLocalOutpost ? sourced("external", "local cluster on Outposts") : sourced(IN_TREE, `kubelet ${version.text}`);
}

/** Whether the private DNS name becomes the node's name. */
export function needsPrivateDnsName(config: NodeConfig, user: UserArguments, cloudProvider: string): boolean {
  return cloudProvider !== IN_TREE && config.kubelet.nodeName?.value !== "instance-id" && !user.identity.has("hostname-override");
}

function needsProviderId(version: KubeletVersion, cloudProvider: string): boolean {
  return version.minor >= EXTERNAL_CLOUD_PROVIDER_SINCE || cloudProvider === "external";
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

/** Never left to kubelet where it would take the name of the operating system. */
function resolveNodeName({ config, facts, instance }: IdentityInputs, cloudProvider: Sourced<string>, addNote: AddNote): Sourced<string> | undefined {
  const choice = config.kubelet.nodeName;
  if (cloudProvider.value === IN_TREE) {
    if (choice?.value === "instance-id") addNote("node-name-unused", `The node's name is not the instance id that ${choice.source} asks for: the cloud provider "aws" (${cloudProvider.source}) takes PrivateDnsName.`);
    return undefined;
  }
  if (choice?.value === "instance-id") return sourced(instance.id, choice.source);
  const ofImds = trustsImds(config) ? canonicalHostname(facts) : undefined;
  if (ofImds !== undefined && "value" in ofImds) return sourced(ofImds.value, "IMDS local-hostname");
  if (ofImds !== undefined) addNote("node-name-from-ec2", `EC2 was asked for the node's name in spite of --node-name-source imds-if-canonical: ${ofImds.failure}.`);
  if (facts.privateDnsName === undefined) throw new Error("a node was resolved without PrivateDnsName, although its name depends on it");
  return sourced(facts.privateDnsName, "ec2:DescribeInstances PrivateDnsName");
}
