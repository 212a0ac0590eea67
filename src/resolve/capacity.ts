import type { EvaluateMaxPods } from "../config/max-pods-expression.ts";
import type { NodeConfig } from "../config/node-config.ts";
import type { JsonObject } from "../lib/json.ts";
import { mergeJson } from "../lib/merge-json.ts";
import { type Sourced, sourced } from "../lib/sourced.ts";
import type { Facts, HostFacts, InstanceFacts } from "./facts.ts";
import { KUBELET_DEFAULT_MAX_PODS, resolveTableMaxPods } from "./max-pods.ts";
import { resolveMaxPodsExpression } from "./max-pods-expression.ts";
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

export type CapacityInputs = {
  readonly config: NodeConfig;
  readonly facts: Facts;
  readonly instance: InstanceFacts;
  readonly host: HostFacts;
  readonly user: UserArguments;
  readonly imageConfig: Sourced<JsonObject> | undefined;
  /** Undefined only where the config has no expression for maxPods. */
  readonly evaluateMaxPods: EvaluateMaxPods | undefined;
};

export function resolveCapacity(inputs: CapacityInputs, addNote: AddNote): Capacity {
  const { config, facts, instance, host, user } = inputs;
  const agents = resolveMaxPodsExpression(inputs, resolveTableMaxPods(facts, instance, addNote), addNote);
  const maxPods = config.kubelet.useMaxPods?.value === false ? undefined : agents;
  const effectiveMaxPods = maxPodsOfFlag(user) ?? maxPodsOfConfig(inputs, maxPods);
  // The peers reckon with this count whatever kubelet is told, so that nodes come out as before.
  const pods = config.kubelet.reserveFor?.value === "effective" ? effectiveMaxPods : agents;
  return { maxPods, effectiveMaxPods, reserved: resolveReserved(host, pods, addNote) };
}

/** A value that is no number counts for nothing here: preflight reports it. */
function maxPodsOfFlag(user: UserArguments): Sourced<number> | undefined {
  const flag = lastValue(user.arguments, "max-pods");
  return flag !== undefined && /^\d{1,9}$/.test(flag.value) ? sourced(Number(flag.value), flag.source) : undefined;
}

/** The count of the layers as the configuration is merged; kubelet takes none, and 0, for its default. */
function maxPodsOfConfig({ config, imageConfig }: CapacityInputs, agents: Sourced<number> | undefined): Sourced<number> {
  const computed = agents === undefined ? [] : [sourced({ maxPods: agents.value }, agents.source)];
  const layers = [...(imageConfig === undefined ? [] : [imageConfig]), ...computed, ...config.kubelet.config];
  const merged = mergeJson(layers);
  const value = merged.value["maxPods"];
  if (typeof value === "number" && value !== 0) return sourced(value, merged.sourceOf("maxPods") ?? "kubelet config");
  const by = layers.findLast((layer) => Object.hasOwn(layer.value, "maxPods"));
  return sourced(KUBELET_DEFAULT_MAX_PODS, by === undefined ? "kubelet's default" : `kubelet's default, by ${by.source}`);
}
