import type { JsonValue } from "../lib/json.ts";
import { isJsonObject } from "../lib/json.ts";
import { type MergedJson, valueAt } from "../lib/merge-json.ts";
import type { Sourced } from "../lib/sourced.ts";
import { kubeletFlag } from "../data/kubelet-flag-lookup.ts";
import type { Node } from "./node.ts";
import { type Argument, lastValue, showArgument } from "./user-arguments.ts";

/** One line of `--explain`: what was decided, and who decided it. */
export type NamedValue = { readonly name: string; readonly value: JsonValue; readonly source: string };

/** Every decided value with its source; of kubelet's configuration the effective one, where a flag beats a field. */
export function valueTable(node: Node): readonly NamedValue[] {
  return [...decided(node), ...kubeletFields(node), ...kubeletFlags(node)];
}

function decided(node: Node): readonly NamedValue[] {
  const { cluster, identity, capacity, containerd } = node;
  const rows: readonly (readonly [string, Sourced<JsonValue> | undefined])[] = [
    ["cluster name", cluster.name],
    ["API server endpoint", cluster.endpoint],
    ["IP family", cluster.ipFamily],
    ["cluster DNS", cluster.dnsAddresses],
    ["local cluster on Outposts", cluster.isLocalOutpost],
    ["kubelet version", { value: node.version.value.text, source: node.version.source }],
    ["node IP", identity.nodeIp],
    ["node name", identity.hostnameOverride],
    ["provider id", identity.providerId],
    ["cloud provider", identity.cloudProvider],
    ["max pods", capacity.effectiveMaxPods],
    ["pods reserved for", capacity.reserved.pods],
    ["sandbox image", node.sandboxImage],
    ["authenticator", { value: node.authenticator.value.command, source: node.authenticator.source }],
    ["containerd config version", containerd.configVersion],
    ["default runtime", containerd.runtime],
  ];
  return rows.flatMap(([name, row]) => (row === undefined ? [] : [{ name, value: row.value, source: row.source }]));
}

function kubeletFields(node: Node): readonly NamedValue[] {
  const flags = [...node.arguments.agent, ...node.arguments.extra];
  return leafPaths(node.kubeletConfig).map((path) => {
    const flag = flags.findLast(({ name }) => kubeletFlag(name)?.configField === path);
    const beaten = flag === undefined ? undefined : lastValue(flags, flag.name);
    const value = beaten?.value ?? valueAt(node.kubeletConfig.value, path) ?? null;
    return { name: `kubelet config ${path}`, value, source: beaten?.source ?? sourceOf(node.kubeletConfig, path) };
  });
}

function sourceOf(config: MergedJson, path: string): string {
  return config.sourceOf(path) ?? "default";
}

function leafPaths({ value }: MergedJson): readonly string[] {
  const walk = (at: JsonValue, path: string): readonly string[] => {
    if (!isJsonObject(at) || Object.keys(at).length === 0) return [path];
    return Object.entries(at).flatMap(([key, child]) => walk(child, path === "" ? key : `${path}.${key}`));
  };
  // Keys with a dot in them, such as those of evictionHard, cannot be a path: their map is shown whole.
  return [...new Set(walk(value, "").map((path) => (valueAt(value, path) === undefined ? parentOf(value, path) : path)))];
}

function parentOf(value: MergedJson["value"], path: string): string {
  let parent = path;
  while (parent.includes(".") && valueAt(value, parent) === undefined) parent = parent.slice(0, parent.lastIndexOf("."));
  return parent;
}

function kubeletFlags(node: Node): readonly NamedValue[] {
  const all: readonly Argument[] = [...node.arguments.agent, ...node.arguments.extra];
  return all.map((argument) => ({ name: `kubelet flag --${argument.name}`, value: showArgument(argument), source: argument.source }));
}
