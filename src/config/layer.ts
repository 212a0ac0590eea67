import { mergeNodeConfigs } from "./merge.ts";
import { EMPTY_NODE_CONFIG, type NodeConfig } from "./node-config.ts";
import type { ConfigNote, Leniency, Problem } from "./problems.ts";

/** What one source of configuration says, and all that is to be said of it. */
export type ConfigLayer = {
  readonly config: NodeConfig;
  /** Each that said something, in words: "user-data part 2". */
  readonly inputs: readonly string[];
  readonly problems: readonly Problem[];
  /** Those of the problems by which a text cannot be read at all, so that nobody knows what it asks for. */
  readonly faults: readonly Problem[];
  readonly leniencies: readonly Leniency[];
  readonly notes: readonly ConfigNote[];
};

export const EMPTY_LAYER: ConfigLayer = { config: EMPTY_NODE_CONFIG, inputs: [], problems: [], faults: [], leniencies: [], notes: [] };

export function layerOf(part: Partial<ConfigLayer>): ConfigLayer {
  return { ...EMPTY_LAYER, ...part };
}

/** A text that cannot be read. */
export function unreadable(fault: Problem): ConfigLayer {
  return layerOf({ problems: [fault], faults: [fault] });
}

/** One layer for all, the strongest last. */
export function joinLayers(layers: readonly ConfigLayer[]): ConfigLayer {
  return {
    config: mergeNodeConfigs(layers.map(({ config }) => config)),
    inputs: layers.flatMap(({ inputs }) => inputs),
    problems: layers.flatMap(({ problems }) => problems),
    faults: layers.flatMap(({ faults }) => faults),
    leniencies: layers.flatMap(({ leniencies }) => leniencies),
    notes: layers.flatMap(({ notes }) => notes),
  };
}
