import { parseEksctlEnvironment } from "./eksctl.ts";
import { parseKubeletFragment } from "./kubelet-fragment.ts";
import { type ConfigLayer, EMPTY_LAYER, joinLayers, layerOf } from "./layer.ts";
import { configOf } from "./settings.ts";

type File = { readonly source: string; readonly text: string };

/** What eksctl's two files ask for, wherever they were found. */
export function parseEksctlFiles(environment: File | undefined, kubeletExtra: File | undefined): ConfigLayer {
  return joinLayers([environment === undefined ? EMPTY_LAYER : parseEksctlEnvironment(environment.text, environment.source), kubeletExtra === undefined ? EMPTY_LAYER : parseKubeletFile(kubeletExtra)]);
}

function parseKubeletFile({ source, text }: File): ConfigLayer {
  const parsed = parseKubeletFragment(text, source);
  if ("problems" in parsed) return layerOf({ inputs: [source], problems: parsed.problems });
  return layerOf({ config: configOf({ kubelet: { config: [parsed.fragment] } }), inputs: [source], notes: parsed.notes });
}
