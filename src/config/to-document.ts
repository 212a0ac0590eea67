import { cidrFamily, parseAddress, parseCidr, showCidr } from "../lib/ip.ts";
import type { JsonObject, JsonValue } from "../lib/json.ts";
import { joinOverlays } from "../lib/overlay-json.ts";
import type { Sourced } from "../lib/sourced.ts";
import { quoteArguments } from "../lib/systemd-quote.ts";
import { printToml } from "../lib/toml.ts";
import type { Loss } from "./loss.ts";
import type { IpFamily, NodeConfig } from "./node-config.ts";
import { remarksOn, unsayable } from "./unsayable.ts";

/** A document of `node.eks.aws/v1alpha1`, and what it does not say of the config it was made of. */
export type Written = { readonly document: JsonObject; readonly losses: readonly Loss[]; readonly remarks: readonly string[] };

/** The document that asks for what the config asks for, in the order in which nodeadm's reference has the fields. */
export function toV1alpha1(config: NodeConfig): Written {
  const block = serviceBlock(config);
  const kubelet = joinOverlays(kubeletOverlays(config));
  const containerd = joinOverlays(config.containerd.config.map(({ value }) => value));
  const runtimeSpec = joinOverlays(config.containerd.baseRuntimeSpec.map(({ value }) => value));
  const spec = mappingOf({
    cluster: clusterSection(config, block?.cidr),
    kubelet: mappingOf({ config: mappingOf(kubelet.value), flags: listOf(config.kubelet.flags.flatMap(flagTexts)), maxPodsExpression: config.kubelet.maxPodsExpression?.value }),
    containerd: mappingOf({ config: isEmpty(containerd.value) ? undefined : printToml(containerd.value), baseRuntimeSpec: mappingOf(runtimeSpec.value) }),
    instance: instanceSection(config),
    featureGates: mappingOf({ InstanceIdNodeName: config.kubelet.nodeName?.value === "instance-id" || undefined, FastImagePull: config.features.fastImagePull?.value }),
  });
  return {
    document: { apiVersion: "node.eks.aws/v1alpha1", kind: "NodeConfig", spec: spec ?? {} },
    losses: [...unsayable(config), ...[...kubelet.lost, ...containerd.lost, ...runtimeSpec.lost].map(replacedByMap)],
    remarks: [...remarksOn(config), ...(block?.isDerived === true ? [`spec.cluster.cidr is derived from the cluster's DNS address, ${block.from}: only the family of the block counts here, as kubelet.config.clusterDNS names the address.`] : [])],
  };
}

function clusterSection({ cluster }: NodeConfig, cidr: string | undefined): JsonObject | undefined {
  const { certificateAuthority: pem } = cluster;
  return mappingOf({
    name: cluster.name?.value,
    apiServerEndpoint: cluster.apiServerEndpoint?.value,
    certificateAuthority: pem === undefined ? undefined : Buffer.from(pem.value).toString("base64"),
    cidr,
    enableOutpost: cluster.outpost?.value,
    id: cluster.id?.value,
  });
}

const STRATEGIES = { mount: "Mount", raid0: "RAID0", raid10: "RAID10", none: undefined } as const;

function instanceSection({ instance }: NodeConfig): JsonObject | undefined {
  const strategy = STRATEGIES[instance.localDisks?.value ?? "none"];
  return mappingOf({
    localStorage: mappingOf({ strategy, mountPath: instance.localDisksMountPath?.value, disabledMounts: instance.disabledMounts?.value }),
    environment: mappingOf(Object.fromEntries(Object.entries(instance.environment).map(([service, variables]) => [service, mappingOf(valuesOf(variables))]))),
    network: mappingOf({ nameservers: instance.nameservers?.value, domains: instance.domains?.value }),
  });
}

function valuesOf(variables: Readonly<Record<string, Sourced<string>>>): Record<string, string> {
  return Object.fromEntries(Object.entries(variables).map(([name, { value }]) => [name, value]));
}

type ServiceBlock = { readonly cidr: string; readonly isDerived: boolean; readonly from?: string };

/** NodeConfig has one block, by which both the family and the DNS address go. */
function serviceBlock({ cluster }: NodeConfig): ServiceBlock | undefined {
  const blocks = (cluster.serviceCidrs ?? []).map(({ value }) => value);
  const family: IpFamily | undefined = cluster.ipFamily?.value ?? (blocks.some((block) => cidrFamily(block) === "ipv6") ? "ipv6" : undefined);
  const given = blocks.find((block) => family === undefined || cidrFamily(block) === family);
  if (given !== undefined) return { cidr: given, isDerived: false };
  const dns = family === "ipv6" ? cluster.dnsAddresses?.value.find((address) => parseAddress(address)?.family === "ipv6") : undefined;
  // EKS gives IPv6 clusters a block of this length.
  const block = dns === undefined ? undefined : parseCidr(`${dns}/108`);
  return block === undefined || dns === undefined ? undefined : { cidr: showCidr(block), isDerived: true, from: dns };
}

/** What bootstrap.sh had options for and kubelet has fields, which the operator's own fields beat. */
function kubeletOverlays({ cluster, kubelet }: NodeConfig): readonly JsonObject[] {
  return [
    ...(cluster.dnsAddresses === undefined ? [] : [{ clusterDNS: cluster.dnsAddresses.value }]),
    ...(kubelet.useMaxPods?.value === false ? [{ maxPods: null }] : []),
    ...kubelet.config.map(({ value }) => value),
  ];
}

/** One flag for each entry, as far as the words alone tell where the next one begins: after a value, and after a word that holds its own. */
function flagTexts({ value: words }: Sourced<readonly string[]>): readonly string[] {
  const entries: string[][] = [];
  let current: string[] = [];
  for (const word of words) {
    current.push(word);
    if (word.startsWith("-") && !word.includes("=")) continue;
    entries.push(current);
    current = [];
  }
  return [...entries, current].filter((entry) => entry.length > 0).map((entry) => quoteArguments(entry));
}

function replacedByMap(keys: readonly string[]): Loss {
  return { what: keys.join("."), instead: "Of two sources, the later one replaces this value as a whole, and in one document it is merged with the agent's own. Compare the node's file with `eks-node-agent --dry-run`." };
}

/** Without what is not there; undefined when nothing is. */
function mappingOf(fields: Readonly<Record<string, JsonValue | undefined>>): JsonObject | undefined {
  const there = Object.entries(fields).filter((entry): entry is [string, JsonValue] => entry[1] !== undefined);
  return there.length === 0 ? undefined : Object.fromEntries(there);
}

function listOf(items: readonly string[]): readonly string[] | undefined {
  return items.length === 0 ? undefined : items;
}

function isEmpty(value: JsonObject): boolean {
  return Object.keys(value).length === 0;
}
