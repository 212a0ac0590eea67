import type { Finding } from "./finding.ts";
import { quote } from "./finding.ts";
import { KEY_SYNTAX, VALUE_SYNTAX, isLabelValue, isQualifiedName } from "./qualified-name.ts";

export type NodeLabel = { readonly key: string; readonly value: string; readonly source: string };

/** Keys of Kubernetes' own namespaces that a node may give itself. */
const OWN_KEYS: ReadonlySet<string> = new Set([
  "kubernetes.io/hostname",
  "kubernetes.io/os",
  "kubernetes.io/arch",
  "beta.kubernetes.io/os",
  "beta.kubernetes.io/arch",
  "beta.kubernetes.io/instance-type",
  "node.kubernetes.io/instance-type",
  "topology.kubernetes.io/zone",
  "topology.kubernetes.io/region",
  "failure-domain.beta.kubernetes.io/zone",
  "failure-domain.beta.kubernetes.io/region",
]);

/** Namespaces of Kubernetes, and their subdomains, in which a node may choose the names. */
const OWN_NAMESPACES = ["kubelet.kubernetes.io", "node.kubernetes.io"] as const;

/** Namespaces, with their subdomains, that Kubernetes keeps for itself. */
const RESERVED_NAMESPACES = ["kubernetes.io", "k8s.io"] as const;

/** The first minor whose kubelet looks at the syntax of labels. Before, the API server refuses the node. */
const CHECKS_SYNTAX_SINCE = 25;

/** What kubelet 1.`minor` refuses of the labels that the node gives itself. */
export function checkLabels(minor: number, labels: readonly NodeLabel[]): readonly Finding[] {
  return labels.flatMap((label) => [...checkNamespace(label), ...checkSyntax(minor, label)]);
}

function checkNamespace({ key, source }: NodeLabel): readonly Finding[] {
  const namespace = key.includes("/") ? key.slice(0, key.indexOf("/")) : "";
  if (!isWithin(namespace, RESERVED_NAMESPACES)) return [];
  if (OWN_KEYS.has(key) || isWithin(namespace, OWN_NAMESPACES)) return [];
  return [
    {
      severity: "error",
      code: "label-reserved",
      message: `A node must not give itself the label ${quote(key)}: kubelet accepts few names in kubernetes.io and k8s.io, and ends on others`,
      source,
      remedy: `Remove it, use another prefix or one of node.kubernetes.io/, or set it from the cluster: kubectl label node NODE ${key}=…`,
    },
  ];
}

function isWithin(namespace: string, domains: readonly string[]): boolean {
  return domains.some((domain) => namespace === domain || namespace.endsWith(`.${domain}`));
}

function checkSyntax(minor: number, { key, value, source }: NodeLabel): readonly Finding[] {
  const remedy = minor < CHECKS_SYNTAX_SINCE ? "Correct the label: the API server refuses a node that has it." : "Correct the label.";
  const severity = minor < CHECKS_SYNTAX_SINCE ? "note" : "error";
  const findings: Finding[] = [];
  if (!isQualifiedName(key)) {
    findings.push({ severity, code: "label-syntax", message: `Cannot use ${quote(key)} as a label's key: expected ${KEY_SYNTAX}`, source, remedy });
  }
  if (!isLabelValue(value)) {
    findings.push({ severity, code: "label-syntax", message: `Cannot use ${quote(value)} as the value of label ${quote(key)}: expected ${VALUE_SYNTAX}`, source, remedy });
  }
  return findings;
}
