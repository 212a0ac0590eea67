import type { JsonObject } from "../lib/json.ts";
import type { Node } from "../resolve/node.ts";
import { checkCertificateAuthority } from "./certificate-authority.ts";
import { checkRules } from "./config-rules.ts";
import { checkContainerdSettings } from "./containerd.ts";
import { effectiveConfig } from "./effective-config.ts";
import type { EffectiveConfig } from "./effective-config.ts";
import { checkEviction } from "./eviction.ts";
import type { Finding, KubeletArgument } from "./finding.ts";
import { checkFlagCombinations } from "./flag-combinations.ts";
import { checkHost } from "./host.ts";
import type { HostInputs } from "./host.ts";
import { checkKubeletConfig } from "./kubelet-config.ts";
import { checkKubeletFlags } from "./kubelet-flags.ts";
import { checkLabels } from "./labels.ts";
import { labelsOf, taintsOf } from "./node-registration.ts";
import { checkCapacity, checkQuantities } from "./reservations.ts";
import type { NodeResources } from "./reservations.ts";
import { checkTaints } from "./taints.ts";

export type { Finding } from "./finding.ts";

/** What this node's kubelet, and containerd for it, would refuse or warn of, all at once; errors first. */
export function preflight(node: Node): readonly Finding[] {
  return sortBySeverity([...checkCertificateAuthority(node.cluster.certificateAuthority), ...findProblems(inputsOf(node)), ...(node.docker === undefined ? checkContainerdSettings(node.containerd) : [])]);
}

/** All that preflight looks at. */
export type PreflightInputs = {
  /** Minor version of kubelet: 33 for 1.33. */
  readonly minor: number;
  /** In the order of the command line. */
  readonly flags: readonly KubeletArgument[];
  readonly config: JsonObject;
  /** Where the configuration's value at a path came from. */
  readonly sourceOf: (path: string) => string;
  readonly host: HostInputs & NodeResources;
};

export function findProblems(inputs: PreflightInputs): readonly Finding[] {
  const { minor, flags, host } = inputs;
  const config = effectiveConfig(inputs);
  const findings = [
    ...checkKubeletFlags(minor, flags),
    ...checkFlagCombinations(minor, flags),
    ...checkKubeletConfig(inputs),
    ...checkEffective(config, host),
    ...checkLabels(minor, labelsOf(flags)),
    ...checkTaints(taintsOf(config, flags)),
  ];
  return sortBySeverity(unique(findings));
}

function checkEffective(config: EffectiveConfig, host: HostInputs & NodeResources): readonly Finding[] {
  return [...checkRules(config), ...checkEviction(config), ...checkQuantities(config), ...checkCapacity(config, host), ...checkHost(config, host)];
}

function unique(findings: readonly Finding[]): readonly Finding[] {
  return [...new Map(findings.map((finding) => [JSON.stringify([finding.code, finding.message, finding.source]), finding])).values()];
}

function sortBySeverity(findings: readonly Finding[]): readonly Finding[] {
  return [...findings.filter(({ severity }) => severity === "error"), ...findings.filter(({ severity }) => severity === "note")];
}

function inputsOf(node: Node): PreflightInputs {
  const { credentialProvider, host, identity, kubeletConfig } = node;
  return {
    minor: node.version.value.minor,
    flags: [
      ...node.arguments.agent.map((argument) => ({ ...argument, owner: "agent" as const })),
      { name: "cloud-provider", ...identity.cloudProvider, owner: "agent" },
      ...node.arguments.extra.map((argument) => ({ ...argument, owner: "user" as const })),
    ],
    config: kubeletConfig.value,
    sourceOf: (path) => sourceOf(kubeletConfig, path),
    host: { ...host, credentialProvider: credentialProvider === undefined ? undefined : `${credentialProvider.binDir}/${credentialProvider.name}` },
  };
}

/** Of a path into a list, the source of the list; of one inside a map, the map's where the key has none of its own. */
function sourceOf(config: Node["kubeletConfig"], path: string): string {
  const keys = path.replace(/\[.*/, "").split(".");
  for (let length = keys.length; length > 0; length--) {
    const source = config.sourceOf(keys.slice(0, length).join("."));
    if (source !== undefined) return source;
  }
  return "the kubelet configuration";
}
