import type { NodeConfig } from "../config/node-config.ts";
import { mergeJson } from "../lib/merge-json.ts";
import { type Sourced, sourced } from "../lib/sourced.ts";
import type { Facts, HostFacts, InstanceFacts } from "./facts.ts";
import { KUBELET_DEFAULT_MAX_PODS, resolveTableMaxPods } from "./max-pods.ts";
import type { AddNote } from "./notes.ts";
import { type Reserved, resolveReserved } from "./reserved.ts";
import { lastValue, type UserArguments } from "./user-arguments.ts";

/** How many pods, and what is kept back for kubelet. */
export type Capacity = {
  /** What is written as maxPods; undefined with `--use-max-pods false`, which leaves kubelet its default. */
  readonly maxPods: Sourced<number> | undefined;
  /** What kubelet will really have. */
  readonly effectiveMaxPods: Sourced<number>;
  readonly reserved: Reserved;
};

export function resolveCapacity(config: NodeConfig, facts: Facts, instance: InstanceFacts, host: HostFacts, user: UserArguments, addNote: AddNote): Capacity {
  const table = resolveTableMaxPods(facts, instance, addNote);
  const maxPods = config.kubelet.useMaxPods?.value === false ? undefined : table;
  const effectiveMaxPods = maxPodsOfFlag(user) ?? maxPodsOfConfig(config) ?? maxPods ?? sourced(KUBELET_DEFAULT_MAX_PODS, "kubelet's default");
  // The peers reckon with the table's count whatever kubelet is told, so that nodes come out as before.
  const pods = config.kubelet.reserveFor?.value === "effective" ? effectiveMaxPods : table;
  return { maxPods, effectiveMaxPods, reserved: resolveReserved(host, pods, addNote) };
}

function maxPodsOfFlag(user: UserArguments): Sourced<number> | undefined {
  const flag = lastValue(user.arguments, "max-pods");
  return flag !== undefined && /^\d{1,9}$/.test(flag.value) ? sourced(Number(flag.value), flag.source) : undefined;
}

/** An explicit null takes the agent's value out, and kubelet's default holds. */
function maxPodsOfConfig(config: NodeConfig): Sourced<number> | undefined {
  const layer = config.kubelet.config.findLast(({ value }) => Object.hasOwn(value, "maxPods"));
  if (layer === undefined) return undefined;
  const value = mergeJson(config.kubelet.config).value["maxPods"];
  return typeof value === "number" ? sourced(value, layer.source) : sourced(KUBELET_DEFAULT_MAX_PODS, `kubelet's default, by ${layer.source}`);
}
