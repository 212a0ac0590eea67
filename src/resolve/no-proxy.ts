import type { NodeConfig } from "../config/node-config.ts";
import { parseCidr, showCidr } from "../lib/ip.ts";
import { type Sourced, sourced } from "../lib/sourced.ts";
import type { Cluster } from "./cluster.ts";
import { clusterFacts } from "./described-cluster.ts";
import type { Facts } from "./facts.ts";

type Variables = NodeConfig["instance"]["environment"][string];

/** Whether programs that go by these variables ask a proxy. */
export function usesProxy(variables: Variables): boolean {
  return Object.entries(variables).some(([name, { value }]) => /^https?_proxy$/i.test(name) && value.trim() !== "");
}

/** What the operator says of hosts without a proxy, and `hosts`; each once. */
export function completedNoProxy(variables: Variables, hosts: readonly string[]): Sourced<string> {
  const given = ["NO_PROXY", "no_proxy"].flatMap((name) => variables[name] ?? []);
  const items = given.flatMap(({ value }) => value.split(",")).map((item) => item.trim()).filter((item) => item !== "");
  const sources = new Set([...given.map(({ source }) => source), "what a node reaches without a proxy"]);
  return sourced([...new Set([...items, ...hosts])].join(","), [...sources].join(", "));
}

/** IMDS, by both addresses, and this node. */
const ALWAYS = ["169.254.169.254", "fd00:ec2::254", "localhost", "127.0.0.1", "::1"];

/** What a node must reach without a proxy: itself, IMDS, its VPC, its cluster's services and API server. */
export function hostsWithoutProxy(config: NodeConfig, cluster: Cluster, facts: Facts): readonly string[] {
  const apiServer = new URL(cluster.endpoint.value).hostname.replace(/^\[(.*)\]$/, "$1");
  return [...ALWAYS, ...(facts.vpcIpv4Cidrs ?? []), ...serviceBlocks(config, cluster, facts), apiServer];
}

function serviceBlocks({ cluster: { serviceCidrs = [] } }: NodeConfig, { dnsAddresses }: Cluster, facts: Facts): readonly string[] {
  const { serviceIpv4Cidr, serviceIpv6Cidr } = clusterFacts(facts) ?? {};
  const known = [...serviceCidrs.map(({ value }) => value), serviceIpv4Cidr, serviceIpv6Cidr].filter((block) => block !== undefined);
  return known.length > 0 ? known : dnsAddresses.value.flatMap(blockOfEks);
}

/** EKS's own choices for the services of IPv4 clusters are blocks of this size, with the cluster's DNS in them. */
function blockOfEks(dnsAddress: string): readonly string[] {
  const block = parseCidr(`${dnsAddress}/16`);
  return block?.family === "ipv4" ? [showCidr(block)] : [];
}
