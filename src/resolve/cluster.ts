import type { IpFamily, NodeConfig } from "../config/node-config.ts";
import { AgentError } from "../errors.ts";
import { cidrFamily, isWithin, tenthAddress } from "../lib/ip.ts";
import { type Sourced, sourced } from "../lib/sourced.ts";
import type { ClusterFacts, Facts } from "./facts.ts";
import type { AddNote } from "./notes.ts";

const DESCRIBE_CLUSTER = "eks:DescribeCluster";

/** What joins the node to its cluster, whoever said it. */
export type Cluster = {
  readonly name: Sourced<string>;
  readonly endpoint: Sourced<string>;
  /** PEM. */
  readonly certificateAuthority: Sourced<string>;
  readonly ipFamily: Sourced<IpFamily>;
  readonly dnsAddresses: Sourced<readonly string[]>;
  /** A local cluster on Outposts: kubelet starts from a bootstrap kubeconfig. */
  readonly isLocalOutpost: Sourced<boolean>;
  /** What the authenticator is asked for: the id of a local cluster on Outposts, else the name. */
  readonly authenticationId: Sourced<string>;
};

/** Whether DescribeCluster must be asked: explicit values always win, so only for what is missing. */
export function needsDescribeCluster(config: NodeConfig): boolean {
  return config.cluster.apiServerEndpoint === undefined || config.cluster.certificateAuthority === undefined;
}

/** Whether only DescribeCluster knows the DNS address: of IPv6 clusters, whose service block nobody can guess. */
export function needsServiceIpv6Cidr(config: NodeConfig): boolean {
  return !needsDescribeCluster(config) && knownFamily(config)?.value === "ipv6" && dnsOfConfig(config, "ipv6") === undefined && !userSetsDns(config);
}

/** Whether the DNS address can only be guessed, by the VPC's blocks. */
export function needsVpcBlocks(config: NodeConfig): boolean {
  return !needsDescribeCluster(config) && (knownFamily(config)?.value ?? "ipv4") === "ipv4" && dnsOfConfig(config, "ipv4") === undefined && !userSetsDns(config);
}

/** The family as far as the config alone decides it; undefined when it does not. */
export function knownFamily(config: NodeConfig): Sourced<IpFamily> | undefined {
  const { ipFamily, serviceCidrs = [] } = config.cluster;
  if (ipFamily !== undefined) return ipFamily;
  const families = serviceCidrs.map((cidr) => sourced(cidrFamily(cidr.value), cidr.source));
  return families.find(({ value }) => value === "ipv6") ?? families[0];
}

/** Family of the config, else of the cluster when it was asked, else IPv4. */
export function resolveIpFamily(config: NodeConfig, facts: Facts): Sourced<IpFamily> {
  const known = knownFamily(config);
  if (known !== undefined) return known;
  const cluster = clusterFacts(facts);
  return cluster === undefined ? sourced("ipv4", "default") : sourced(cluster.ipFamily, DESCRIBE_CLUSTER);
}

/** The cluster's description, when it was asked for and given. */
export function clusterFacts(facts: Facts): ClusterFacts | undefined {
  return facts.cluster !== undefined && "value" in facts.cluster ? facts.cluster.value : undefined;
}

/**
 * @param name the cluster's name, which the caller has made sure of
 * @throws AgentError "config-invalid" when the DNS address of an IPv6 cluster is not to be found out
 */
export function resolveCluster(config: NodeConfig, facts: Facts, name: Sourced<string>, addNote: AddNote): Cluster {
  const ipFamily = resolveIpFamily(config, facts);
  const isLocalOutpost = resolveOutpost(config, facts);
  return {
    name,
    ipFamily,
    isLocalOutpost,
    endpoint: config.cluster.apiServerEndpoint ?? described(facts, "endpoint"),
    certificateAuthority: config.cluster.certificateAuthority ?? described(facts, "certificateAuthority"),
    dnsAddresses: resolveDns(config, facts, ipFamily.value, addNote),
    authenticationId: isLocalOutpost.value ? resolveClusterId(config, facts, name) : name,
  };
}

function described(facts: Facts, key: "endpoint" | "certificateAuthority"): Sourced<string> {
  const cluster = clusterFacts(facts);
  if (cluster === undefined) throw new Error(`DescribeCluster was not asked although ${key} is missing`);
  return sourced(cluster[key], DESCRIBE_CLUSTER);
}

function resolveOutpost(config: NodeConfig, facts: Facts): Sourced<boolean> {
  if (config.cluster.outpost !== undefined) return config.cluster.outpost;
  const arn = clusterFacts(facts)?.outpostArn;
  return arn === undefined ? sourced(false, "default") : sourced(true, `${DESCRIBE_CLUSTER} (${arn})`);
}

function resolveClusterId(config: NodeConfig, facts: Facts, name: Sourced<string>): Sourced<string> {
  if (config.cluster.id !== undefined) return config.cluster.id;
  const id = clusterFacts(facts)?.id;
  if (id !== undefined) return sourced(id, DESCRIBE_CLUSTER);
  throw new AgentError("config-invalid", `Cannot join ${JSON.stringify(name.value)} as a local cluster on Outposts: its id is not known, and authentication goes by the id there`, {
    remedy: "Give --cluster-id, or --enable-local-outpost false if this is no local cluster.",
  });
}

/** Order: asked for outright, from the service block, from DescribeCluster, guessed. */
function resolveDns(config: NodeConfig, facts: Facts, family: IpFamily, addNote: AddNote): Sourced<readonly string[]> {
  const fromConfig = dnsOfConfig(config, family);
  if (fromConfig !== undefined) return fromConfig;
  const cidr = family === "ipv6" ? clusterFacts(facts)?.serviceIpv6Cidr : clusterFacts(facts)?.serviceIpv4Cidr;
  if (cidr !== undefined) return sourced([tenthAddress(cidr)], `${DESCRIBE_CLUSTER} (${cidr})`);
  if (userSetsDns(config)) return sourced([], "kubelet config");
  return family === "ipv6" ? failWithoutIpv6Dns(facts) : guessDns(facts, addNote);
}

function dnsOfConfig(config: NodeConfig, family: IpFamily): Sourced<readonly string[]> | undefined {
  if (config.cluster.dnsAddresses !== undefined) return config.cluster.dnsAddresses;
  const cidr = config.cluster.serviceCidrs?.find(({ value }) => cidrFamily(value) === family);
  return cidr === undefined ? undefined : sourced([tenthAddress(cidr.value)], `${cidr.source} (${cidr.value})`);
}

function userSetsDns(config: NodeConfig): boolean {
  return config.kubelet.config.some(({ value }) => Object.hasOwn(value, "clusterDNS"));
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
  const why = facts.cluster !== undefined && "failure" in facts.cluster ? `: ${facts.cluster.failure}` : "";
  throw new AgentError("config-invalid", `Cannot find out the cluster DNS address of this IPv6 cluster${why}`, {
    remedy: "Give --service-ipv6-cidr or --dns-cluster-ip.",
  });
}
