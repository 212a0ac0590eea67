import type { NodeConfig } from "../config/node-config.ts";
import { AgentError } from "../errors.ts";
import { parseCertificateAuthority } from "../lib/pem.ts";
import { type Sourced, sourced } from "../lib/sourced.ts";
import type { ClusterFacts, Facts } from "./facts.ts";

export const DESCRIBE_CLUSTER = "eks:DescribeCluster";

/** Whether DescribeCluster must be asked: explicit values always win, so only for what is missing. */
export function needsDescribeCluster(config: NodeConfig): boolean {
  return config.cluster.apiServerEndpoint === undefined || config.cluster.certificateAuthority === undefined;
}

/** The cluster's description, when it was asked for and given. */
export function clusterFacts(facts: Facts): ClusterFacts | undefined {
  return facts.cluster !== undefined && "value" in facts.cluster ? facts.cluster.value : undefined;
}

export function describedEndpoint(facts: Facts): Sourced<string> {
  return sourced(described(facts).endpoint, DESCRIBE_CLUSTER);
}

/**
 * PEM text: the API gives it in base64.
 *
 * @throws AgentError "remote-nonsense" for anything else
 */
export function describedCertificateAuthority(facts: Facts): Sourced<string> {
  const { name, certificateAuthority } = described(facts);
  const parsed = parseCertificateAuthority(certificateAuthority);
  if ("pem" in parsed) return sourced(parsed.pem, DESCRIBE_CLUSTER);
  throw new AgentError("remote-nonsense", `Cannot use the certificate authority that ${DESCRIBE_CLUSTER} gives for ${JSON.stringify(name)}: it ${parsed.fault}`, {
    remedy: "Compare with `aws eks describe-cluster`, or give --b64-cluster-ca and --apiserver-endpoint.",
  });
}

function described(facts: Facts): ClusterFacts {
  const cluster = clusterFacts(facts);
  if (cluster === undefined) throw new Error("a node was resolved without DescribeCluster's answer, although endpoint or certificate authority is missing");
  return cluster;
}
