import type { IpFamily, NodeConfig } from "../config/node-config.ts";
import { cidrFamily } from "../lib/ip.ts";
import { type Sourced, sourced } from "../lib/sourced.ts";
import { clusterFacts, DESCRIBE_CLUSTER } from "./described-cluster.ts";
import type { Facts } from "./facts.ts";
import type { AddNote } from "./notes.ts";

/** The family as far as the config alone decides it; undefined when it does not. */
export function knownFamily(config: NodeConfig): Sourced<IpFamily> | undefined {
  const { ipFamily, serviceCidrs = [] } = config.cluster;
  if (ipFamily !== undefined) return ipFamily;
  const families = serviceCidrs.map((cidr) => sourced(cidrFamily(cidr.value), cidr.source));
  // As for bootstrap.sh, an IPv6 block makes an IPv6 cluster.
  return families.find(({ value }) => value === "ipv6") ?? families[0];
}

/** Family of the config, else of the cluster when it was asked, else IPv4. */
export function resolveIpFamily(config: NodeConfig, facts: Facts, addNote: AddNote): Sourced<IpFamily> {
  const known = knownFamily(config);
  const described = clusterFacts(facts)?.ipFamily;
  if (known === undefined) return described === undefined ? sourced("ipv4", "default") : sourced(described, DESCRIBE_CLUSTER);
  if (described !== undefined && described !== known.value) {
    addNote("ip-family-differs", `The IP family ${known.value} (${known.source}) is used, although ${DESCRIBE_CLUSTER} says that the cluster's is ${described}.`);
  }
  return known;
}
