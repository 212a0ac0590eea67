import { type ConfigLayer, EMPTY_LAYER, layerOf } from "../config/layer.ts";
import { configOf } from "../config/settings.ts";
import { readEksctlFiles, type SourceText } from "../gather/documents.ts";

/** What eksctl's files ask for, below `root`; nothing on nodes of others. */
export async function readEksctl(root: string): Promise<ConfigLayer> {
  const { environment, kubeletExtra } = await readEksctlFiles(root);
  if (environment === undefined && kubeletExtra === undefined) return EMPTY_LAYER;
  const { parseEksctlFiles } = await import("../config/eksctl-files.ts");
  return parseEksctlFiles(environment, kubeletExtra);
}

/**
 * Fields of a KubeletConfiguration in a file.
 *
 * @param means how the file was named, for the list of inputs
 */
export async function kubeletLayer(file: SourceText | undefined, means: string): Promise<ConfigLayer> {
  if (file === undefined) return EMPTY_LAYER;
  const { parseKubeletFragment } = await import("../config/kubelet-fragment.ts");
  const inputs = [`${means}${file.source}`];
  const parsed = parseKubeletFragment(file.text, file.source);
  if ("problems" in parsed) return layerOf({ inputs, problems: parsed.problems });
  return layerOf({ config: configOf({ kubelet: { config: [parsed.fragment] } }), inputs, notes: parsed.notes });
}
