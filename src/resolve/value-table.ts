import type { JsonValue } from "../lib/json.ts";
import { leavesOf } from "../lib/merge-json.ts";
import type { Sourced } from "../lib/sourced.ts";
import { beatenFields, isInField, sourceOfField } from "./beaten-fields.ts";
import type { Node } from "./node.ts";
import { type Argument, showArgument } from "./user-arguments.ts";

/** One line of `--explain`: what was decided, and who decided it. */
export type NamedValue = { readonly name: string; readonly value: JsonValue; readonly source: string };

/** Every decided value with its source; of kubelet's configuration the effective one, where a flag beats a field. */
export function valueTable(node: Node): readonly NamedValue[] {
  return [...decided(node), ...kubeletFields(node), ...kubeletFlags(node)];
}

function decided(node: Node): readonly NamedValue[] {
  const { cluster, apiServerAddresses, identity, capacity, containerd, localDisks } = node;
  const rows: readonly (readonly [string, Sourced<JsonValue> | undefined])[] = [
    ["cluster name", cluster.name],
    ["API server endpoint", cluster.endpoint],
    ["IP family", cluster.ipFamily],
    ["local cluster on Outposts", cluster.isLocalOutpost],
    ["API server addresses", apiServerAddresses === undefined ? undefined : { value: apiServerAddresses.value.addresses, source: apiServerAddresses.source }],
    ["kubelet version", { value: node.version.value.text, source: node.version.source }],
    ["node IP", identity.nodeIp],
    ["node name", identity.hostnameOverride],
    ["provider id", identity.providerId],
    ["cloud provider", identity.cloudProvider],
    ["max pods", capacity.effectiveMaxPods],
    ["pods reserved for", capacity.reserved.pods],
    ["sandbox image", node.sandboxImage],
    ["authenticator", { value: node.authenticator.value.command, source: node.authenticator.source }],
    ["container runtime", node.containerRuntime],
    ...(node.docker === undefined ? ([["containerd config version", containerd.configVersion], ["default runtime", containerd.runtime]] as const) : []),
    ["snapshotter", containerd.snapshotter],
    ["local disks", localDisks?.layout],
    ["local disks mounted below", localDisks?.mountPath],
  ];
  return rows.flatMap(([name, row]) => (row === undefined ? [] : [{ name, value: row.value, source: row.source }]));
}

/** A field that a flag beats is one row, in the place of its first leaf. */
function kubeletFields(node: Node): readonly NamedValue[] {
  const beaten = beatenFields([...node.arguments.agent, ...node.arguments.extra]);
  const rows = leavesOf(node.kubeletConfig.value).map(({ keys, value }) => {
    const field = beaten.find((candidate) => isInField(keys, candidate));
    if (field === undefined) return { name: fieldName(keys), value, source: sourceOfField(node.kubeletConfig, keys) };
    return { name: fieldName(field.keys), value: field.value.value, source: `${field.value.source}, by --${field.flag}` };
  });
  return [...new Map(rows.map((row) => [row.name, row])).values()];
}

function fieldName(keys: readonly string[]): string {
  return `kubelet config ${keys.join(".")}`;
}

function kubeletFlags(node: Node): readonly NamedValue[] {
  const all: readonly Argument[] = [...node.arguments.agent, ...node.arguments.extra];
  return all.map((argument) => ({ name: `kubelet flag --${argument.name}`, value: showArgument(argument), source: argument.source }));
}
