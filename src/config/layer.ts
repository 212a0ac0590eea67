import { mergeNodeConfigs } from "./merge.ts";
import { EMPTY_NODE_CONFIG, type NodeConfig } from "./node-config.ts";
import type { ConfigNote, Leniency, Problem } from "./problems.ts";

/** What one source of configuration says, and all that is to be said of it. */
export type ConfigLayer = {
  readonly config: NodeConfig;
  /** Each that said something, in words: "user-data part 2". */
  readonly inputs: readonly string[];
  /** What cannot be read at all, so that nobody knows what it asks for. */
  readonly faults: readonly Problem[];
  readonly problems: readonly Problem[];
  readonly leniencies: readonly Leniency[];
  readonly notes: readonly ConfigNote[];
};

export const EMPTY_LAYER: ConfigLayer = { config: EMPTY_NODE_CONFIG, inputs: [], faults: [], problems: [], leniencies: [], notes: [] };

export function layerOf(part: Partial<ConfigLayer>): ConfigLayer {
  return { ...EMPTY_LAYER, ...part };
}

/** One layer for all, the strongest last. */
export function joinLayers(layers: readonly ConfigLayer[]): ConfigLayer {
  return {
    config: mergeNodeConfigs(layers.map(({ config }) => config)),
    inputs: layers.flatMap(({ inputs }) => inputs),
    faults: layers.flatMap(({ faults }) => faults),
    problems: layers.flatMap(({ problems }) => problems),
    leniencies: layers.flatMap(({ leniencies }) => leniencies),
    notes: layers.flatMap(({ notes }) => notes),
  };
}
