import { type CommandLineConfig, configFromCommandLine } from "../config/flags-to-config.ts";
import { type ConfigLayer, EMPTY_LAYER, joinLayers, layerOf } from "../config/layer.ts";
import { EMPTY_NODE_CONFIG, type NodeConfig } from "../config/node-config.ts";
import { inReadingOrder, noteOf, type Problem, problemsError } from "../config/problems.ts";
import { configOf } from "../config/settings.ts";
import { validateCommandLine, validateNodeConfig } from "../config/validate.ts";
import { readNamedFile } from "../gather/documents.ts";
import { sourced } from "../lib/sourced.ts";
import type { AddNote } from "../resolve/notes.ts";
import { parseUserArguments } from "../resolve/user-arguments.ts";
import type { ConfigFlags } from "./bootstrap-flags.ts";
import { commandLineLayer } from "./command-line-layer.ts";
import { demandedLayer, dispensableLayer, readConfigSources, type SourceReading, type Sources } from "./config-sources.ts";
import { kubeletLayer, readEksctl } from "./eksctl-layer.ts";
import { maxPodsExpressionProblems } from "./max-pods-evaluator.ts";

/** What was asked for, from all sources. */
export type LoadedConfig = {
  readonly config: NodeConfig;
  /** The sources that were found, the strongest last. */
  readonly inputs: readonly string[];
};

/** Nothing asked for. */
export const NO_CONFIG: LoadedConfig = { config: EMPTY_NODE_CONFIG, inputs: [] };

/**
 * All sources as one configuration; undefined when none says anything.
 *
 * @throws AgentError "config-invalid" with all problems of all sources, "source-unreadable", or why there is no user data
 */
export async function loadConfig(flags: ConfigFlags, sources: Sources, addNote: AddNote, commandLine = readCommandLine(flags)): Promise<LoadedConfig | undefined> {
  const { documents, others } = await readLayers(flags, commandLine, sources);
  const layer = judgeLeniencies(joinLayers([documents, others]), flags.strict);
  for (const { code, message } of layer.notes) addNote(code, message);
  if (isNothing(flags, documents, layer)) return undefined;
  const problems = problemsOf({ ...layer, problems: [...layer.problems, ...(flags.strict ? await maxPodsExpressionProblems(layer.config) : [])] });
  if (problems.length > 0) throw problemsError(problems);
  return { config: layer.config, inputs: layer.inputs };
}

/**
 * What the command line and its variables ask for. Told apart from the rest, since what is wrong with it is told before
 * anything is locked, asked or read.
 *
 * @throws AgentError "config-invalid" with all problems
 */
export function readCommandLine(flags: ConfigFlags): CommandLineConfig {
  const commandLine = configFromCommandLine(flags);
  const { config, problems } = commandLine;
  const all = [...problems, ...validateCommandLine(config), ...parseUserArguments(config.kubelet.flags).problems];
  if (all.length > 0) throw problemsError(all);
  return commandLine;
}

type Layers = {
  readonly documents: ConfigLayer;
  /** Stronger than the documents. */
  readonly others: ConfigLayer;
};

async function readLayers(flags: ConfigFlags, commandLine: CommandLineConfig, sources: Sources): Promise<Layers> {
  const [documents, eksctl, file, containerd] = await Promise.all([
    readConfigSources(flags.configSources, sources),
    sources.root === undefined ? EMPTY_LAYER : readEksctl(sources.root),
    flags.kubeletConfigFile === undefined ? undefined : readNamedFile(flags.kubeletConfigFile, "option --kubelet-config-file"),
    readContainerdConfig(commandLine),
  ]);
  const others = [eksctl, commandLineLayer(flags, commandLine), containerd, await kubeletLayer(file, "option --kubelet-config-file ")];
  return { documents: joinLayers(documentLayers(documents, others, flags.strict)), others: joinLayers(others) };
}

function documentLayers(documents: readonly SourceReading[], others: readonly ConfigLayer[], strict: boolean): readonly ConfigLayer[] {
  const namesCluster = ({ config }: ConfigLayer): boolean => config.cluster.name !== undefined;
  const isNamed = others.some(namesCluster) || documents.some(({ kind, layer }) => kind === "files" && namesCluster(layer));
  return documents.map(isNamed && !strict ? dispensableLayer : demandedLayer);
}

async function readContainerdConfig({ containerdConfigFile }: CommandLineConfig): Promise<ConfigLayer> {
  if (containerdConfigFile === undefined) return EMPTY_LAYER;
  const { text } = await readNamedFile(containerdConfigFile.value, containerdConfigFile.source);
  const configFile = sourced(text, `${containerdConfigFile.source} (${containerdConfigFile.value})`);
  return layerOf({ config: configOf({ containerd: { configFile } }) });
}

/** Strictly, what a peer would put up with is a problem; else a note. */
function judgeLeniencies(layer: ConfigLayer, strict: boolean): ConfigLayer {
  return strict ? { ...layer, problems: [...layer.problems, ...layer.leniencies] } : { ...layer, notes: [...layer.notes, ...layer.leniencies.map(noteOf)] };
}

/** Variables, and eksctl's fields for kubelet, configure no node by themselves. */
function isNothing({ options, kubeletConfigFile }: ConfigFlags, documents: ConfigLayer, { config, problems }: ConfigLayer): boolean {
  const isAsked = documents.inputs.length > 0 || config.cluster.name !== undefined || Object.keys(options).length > 0 || kubeletConfigFile !== undefined;
  return !isAsked && problems.length === 0;
}

function problemsOf({ config, inputs, problems, faults }: ConfigLayer): readonly Problem[] {
  const isNameLost = faults.length > 0 || problems.some(({ path }) => path === "spec.cluster.name");
  const ofAll = [...validateNodeConfig(config), ...parseUserArguments(config.kubelet.flags).problems, ...(isNameLost ? [] : missingName(config))];
  return inReadingOrder([...problems, ...ofAll], inputs);
}

/** The name is the one thing that nobody can be asked for. */
function missingName({ cluster }: NodeConfig): readonly Problem[] {
  if (cluster.name !== undefined) return [];
  return [{ source: "all sources", message: "Cannot join a cluster without its name. Name it on the command line, as in `eks-node-agent bootstrap my-cluster`, or as spec.cluster.name in a NodeConfig." }];
}
