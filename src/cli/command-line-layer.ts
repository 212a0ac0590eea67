import type { CommandLineConfig } from "../config/flags-to-config.ts";
import { type ConfigLayer, layerOf } from "../config/layer.ts";
import type { ConfigFlags } from "./bootstrap-flags.ts";

/** What a command line and the variables beside it ask for, with each of its words as an input. */
export function commandLineLayer({ cluster, options, environment }: ConfigFlags, { config, problems, notes }: CommandLineConfig): ConfigLayer {
  const inputs = [
    ...Object.keys(environment).map((name) => `environment ${name}`),
    ...(cluster === undefined ? [] : [`command line: ${cluster}`]),
    ...Object.keys(options).map((name) => `option --${name}`),
  ];
  return layerOf({ config, inputs, problems, notes });
}
