import type { IpFamily, NodeConfig } from "../config/node-config.ts";
import { AgentError } from "../errors.ts";
import { cidrFamily, isWithin, tenthAddress } from "../lib/ip.ts";
import { type Sourced, sourced } from "../lib/sourced.ts";
import { clusterFacts, DESCRIBE_CLUSTER, needsDescribeCluster } from "./described-cluster.ts";
import type { Facts } from "./facts.ts";
import { knownFamily } from "./ip-family.ts";
import type { AddNote } from "./notes.ts";
import { lastValue, parseUserArguments } from "./user-arguments.ts";

/** Whether only DescribeCluster knows the DNS address: of IPv6 clusters, whose service block nobody can guess. */
export function needsServiceIpv6Cidr(config: NodeConfig): boolean {
  return !needsDescribeCluster(config) && knownFamily(config)?.value === "ipv6" && isDnsOpen(config, "ipv6");
}

/** Whether the DNS address of an IPv4 cluster can only be guessed, by the VPC's blocks. */
export function needsVpcBlocks(config: NodeConfig, facts: Facts): boolean {
  const cluster = clusterFacts(facts);
  if (needsDescribeCluster(config) && (cluster === undefined || cluster.serviceIpv4Cidr !== undefined)) return false;
  return (knownFamily(config)?.value ?? cluster?.ipFamily ?? "ipv4") === "ipv4" && isDnsOpen(config, "ipv4");
}

/**
 * In this order: asked for outright, from the service block, from DescribeCluster, guessed. No address where the operator
 * sets kubelet's own option for it, and nothing better than a guess is known.
 *
 * @throws AgentError "config-invalid" when the address of an IPv6 cluster is not to be found out
 */
export function resolveClusterDns(config: NodeConfig, facts: Facts, family: IpFamily, addNote: AddNote): Sourced<readonly string[]> {
  const fromConfig = dnsOfConfig(config, family);
  if (fromConfig !== undefined) return fromConfig;
  const cidr = family === "ipv6" ? clusterFacts(facts)?.serviceIpv6Cidr : clusterFacts(facts)?.serviceIpv4Cidr;
  if (cidr !== undefined) return sourced([tenthAddress(cidr)], `${DESCRIBE_CLUSTER} (${cidr})`);
  const own = dnsOfKubelet(config);
  if (own !== undefined) return sourced([], own);
  return family === "ipv6" ? failWithoutIpv6Dns(facts) : guessDns(facts, addNote);
}

/** Whether the config leaves the address to be found out. */
function isDnsOpen(config: NodeConfig, family: IpFamily): boolean {
  return dnsOfConfig(config, family) === undefined && dnsOfKubelet(config) === undefined;
}

function dnsOfConfig(config: NodeConfig, family: IpFamily): Sourced<readonly string[]> | undefined {
  if (config.cluster.dnsAddresses !== undefined) return config.cluster.dnsAddresses;
  const cidr = config.cluster.serviceCidrs?.find(({ value }) => cidrFamily(value) === family);
  return cidr === undefined ? undefined : sourced([tenthAddress(cidr.value)], `${cidr.source} (${cidr.value})`);
}

/** Who sets kubelet's own option: then there is nothing to guess, and nothing to warn of. */
function dnsOfKubelet(config: NodeConfig): string | undefined {
  const flag = lastValue(parseUserArguments(config.kubelet.flags).arguments, "cluster-dns");
  return flag?.source ?? config.kubelet.config.findLast(({ value }) => Object.hasOwn(value, "clusterDNS"))?.source;
}

/**
 * EKS itself takes 172.20.0.0/16 for services when a block of the VPC lies in 10.0.0.0/8, else 10.100.0.0/16.
 * A block that was added to the VPC after the cluster was made leads the guess astray.
 */
function guessDns(facts: Facts, addNote: AddNote): Sourced<readonly string[]> {
  const inTen = facts.vpcIpv4Cidrs?.find((cidr) => isWithin(cidr, "10.0.0.0/8"));
  const address = inTen === undefined ? "10.100.0.10" : "172.20.0.10";
  const because = inTen === undefined ? "no block of the VPC lies in 10.0.0.0/8" : `the VPC's block ${inTen} lies in 10.0.0.0/8`;
  addNote("dns-guessed", `The cluster DNS address ${address} is a guess, since ${because}. Give --service-ipv4-cidr to be certain.`);
  return sourced([address], "guess by the VPC's blocks");
}

function failWithoutIpv6Dns(facts: Facts): never {
  throw new AgentError("config-invalid", `Cannot find out the cluster DNS address of this IPv6 cluster: ${whyUnknown(facts)}`, {
    remedy: "Give --service-ipv6-cidr or --dns-cluster-ip.",
  });
}

function whyUnknown({ cluster }: Facts): string {
  if (cluster === undefined) return `${DESCRIBE_CLUSTER} was not asked`;
  return "failure" in cluster ? cluster.failure : `${DESCRIBE_CLUSTER} gives no IPv6 block for services, and ${cluster.value.ipFamily} as the cluster's family`;
}
