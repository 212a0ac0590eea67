import type { IpFamily, NodeConfig } from "../config/node-config.ts";
import { AgentError } from "../errors.ts";
import { type Sourced, sourced } from "../lib/sourced.ts";
import { resolveClusterDns } from "./cluster-dns.ts";
import { clusterFacts, DESCRIBE_CLUSTER, describedCertificateAuthority, describedEndpoint } from "./described-cluster.ts";
import type { Facts } from "./facts.ts";
import { resolveIpFamily } from "./ip-family.ts";
import type { AddNote } from "./notes.ts";

/** What joins the node to its cluster, whoever said it. */
export type Cluster = {
  readonly name: Sourced<string>;
  readonly endpoint: Sourced<string>;
  /** PEM. */
  readonly certificateAuthority: Sourced<string>;
  readonly ipFamily: Sourced<IpFamily>;
  /** Empty where only the operator's own kubelet configuration or flag names them. */
  readonly dnsAddresses: Sourced<readonly string[]>;
  /** A local cluster on Outposts: kubelet starts from a bootstrap kubeconfig. */
  readonly isLocalOutpost: Sourced<boolean>;
  /** What the authenticator is asked for: the id of a local cluster on Outposts, else the name. */
  readonly authenticationId: Sourced<string>;
};

/**
 * @param name the cluster's name, which the caller has made sure of
 * @throws AgentError "config-invalid" for an IPv6 cluster without a DNS address, and a local cluster without an id
 */
export function resolveCluster(config: NodeConfig, facts: Facts, name: Sourced<string>, addNote: AddNote): Cluster {
  const ipFamily = resolveIpFamily(config, facts, addNote);
  const isLocalOutpost = resolveLocalOutpost(config, facts);
  return {
    name,
    ipFamily,
    isLocalOutpost,
    endpoint: config.cluster.apiServerEndpoint ?? describedEndpoint(facts),
    certificateAuthority: config.cluster.certificateAuthority ?? describedCertificateAuthority(facts),
    dnsAddresses: resolveClusterDns(config, facts, ipFamily.value, addNote),
    authenticationId: isLocalOutpost.value ? resolveClusterId(config, facts, name) : name,
  };
}

export function resolveLocalOutpost(config: NodeConfig, facts: Facts): Sourced<boolean> {
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
