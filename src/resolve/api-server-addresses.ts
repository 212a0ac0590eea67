import type { NodeConfig } from "../config/node-config.ts";
import { digestParts } from "../lib/digest.ts";
import { parseAddress } from "../lib/ip.ts";
import { type Sourced, sourced } from "../lib/sourced.ts";
import { type Cluster, resolveLocalOutpost } from "./cluster.ts";
import { clusterFacts } from "./described-cluster.ts";
import type { Facts, InstanceFacts } from "./facts.ts";

/** The API server's host name and where it is, for a node that must find it while it is cut off from its region. */
export type ApiServerAddresses = { readonly host: string; readonly addresses: readonly string[] };

/** The host whose addresses must be known: of local clusters on Outposts. Undefined too where the endpoint is an address. */
export function apiServerToResolve(config: NodeConfig, facts: Facts): string | undefined {
  const endpoint = config.cluster.apiServerEndpoint?.value ?? clusterFacts(facts)?.endpoint;
  if (endpoint === undefined || !resolveLocalOutpost(config, facts).value) return undefined;
  return hostOf(endpoint);
}

/** In an order of this node's own, so that not all nodes of a cluster go to the same server first. */
export function resolveApiServerAddresses(cluster: Cluster, facts: Facts, instance: InstanceFacts): Sourced<ApiServerAddresses> | undefined {
  const host = cluster.isLocalOutpost.value ? hostOf(cluster.endpoint.value) : undefined;
  if (host === undefined) return undefined;
  const addresses = facts.addresses?.[host];
  if (addresses === undefined) throw new Error(`a node was resolved without the addresses of ${host}, although it needs them`);
  return sourced({ host, addresses: shuffled(addresses, instance.id) }, "DNS, in an order by the instance's id");
}

/** Scheme and port are no part of it. */
function hostOf(endpoint: string): string | undefined {
  const { hostname } = new URL(endpoint);
  return parseAddress(hostname.replace(/^\[|\]$/g, "")) === undefined ? hostname : undefined;
}

/** The same for the same addresses in whatever order: name servers give them in another one each time. */
function shuffled(addresses: readonly string[], seed: string): readonly string[] {
  const keyed = addresses.map((address) => ({ address, key: digestParts([seed, address]) }));
  return keyed.toSorted((one, other) => (one.key < other.key ? -1 : 1)).map(({ address }) => address);
}
