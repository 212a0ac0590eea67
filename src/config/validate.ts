import { cidrFamily } from "../lib/ip.ts";
import { parseClusterName, quote } from "./setting-values.ts";
import type { NodeConfig } from "./node-config.ts";
import type { Problem } from "./problems.ts";

/** What is wrong with the merged config as a whole, though each of its values may be right. A missing name is the caller's to judge. */
export function validateNodeConfig(config: NodeConfig): readonly Problem[] {
  return RULES.flatMap((rule) => rule(config) ?? []);
}

/** The same of the command line by itself: what no document, being weaker, can put right. */
export function validateCommandLine(config: NodeConfig): readonly Problem[] {
  return LASTING_RULES.flatMap((rule) => rule(config) ?? []);
}

type Rule = (config: NodeConfig) => Problem | undefined;

const LASTING_RULES: readonly Rule[] = [invalidName, contradictingFamily];
// The id may be in a document.
const RULES: readonly Rule[] = [...LASTING_RULES, outpostWithoutId];

function invalidName({ cluster: { name } }: NodeConfig): Problem | undefined {
  if (name === undefined || !("fault" in parseClusterName(name.value))) return undefined;
  const message = `Cannot use ${quote(name.value)} as the name of an EKS cluster: it has at most 100 letters, digits, "-" and "_", and begins with a letter or digit.`;
  return { source: name.source, message };
}

/** An IPv4 block beside an IPv6 one says nothing, since an IPv6 cluster's nodes have IPv4 addresses too. */
function contradictingFamily({ cluster: { ipFamily, serviceCidrs = [] } }: NodeConfig): Problem | undefined {
  if (ipFamily === undefined) return undefined;
  const ipv6 = serviceCidrs.find(({ value }) => cidrFamily(value) === "ipv6");
  const contradicting = ipFamily.value === "ipv4" ? ipv6 : ipv6 === undefined ? serviceCidrs[0] : undefined;
  if (contradicting === undefined) return undefined;
  const message = `Cannot use the IP family ${ipFamily.value} with the service CIDR ${contradicting.value} (${contradicting.source}): they contradict each other.`;
  return { source: ipFamily.source, message };
}

/** The EKS API would give the id, but is not asked when endpoint and CA are given. */
function outpostWithoutId({ cluster: { outpost, apiServerEndpoint, certificateAuthority, id } }: NodeConfig): Problem | undefined {
  if (outpost?.value !== true || id !== undefined || apiServerEndpoint === undefined || certificateAuthority === undefined) return undefined;
  const message = "Cannot join a local cluster on Outposts by endpoint and CA alone: its id is needed too, as --cluster-id or spec.cluster.id.";
  return { source: outpost.source, message };
}
