import { type CommandLineConfig, configFromCommandLine, type GatherOverrides } from "../config/flags-to-config.ts";
import { parseKubeletFragment } from "../config/kubelet-fragment.ts";
import { mergeNodeConfigs } from "../config/merge.ts";
import { EMPTY_NODE_CONFIG, type NodeConfig } from "../config/node-config.ts";
import { type Problem, problemsError } from "../config/problems.ts";
import { validateNodeConfig } from "../config/validate.ts";
import { readEksctlKubeletExtra, readNamedFile, type SourceText } from "../gather/documents.ts";
import { sourced } from "../lib/sourced.ts";
import type { AddNote } from "../resolve/notes.ts";
import { parseUserArguments } from "../resolve/user-arguments.ts";
import type { ConfigFlags } from "./bootstrap-flags.ts";

/** What was asked for, from all sources. */
export type LoadedConfig = {
  readonly config: NodeConfig;
  /** The sources that were found, the strongest last. */
  readonly inputs: readonly string[];
  readonly gatherOverrides: GatherOverrides;
};

/** Nothing asked for. */
export const NO_CONFIG: LoadedConfig = { config: EMPTY_NODE_CONFIG, inputs: [], gatherOverrides: {} };

/** Where the files of a node are looked for: below a directory, or nowhere, for a run that is about another machine. */
export type NodeFiles = { readonly root: string } | "none";

/**
 * All sources as one configuration; undefined when none says anything.
 *
 * @throws AgentError "config-invalid" with all problems of all sources, "source-unreadable"
 */
export async function loadConfig(flags: ConfigFlags, nodeFiles: NodeFiles, addNote: AddNote): Promise<LoadedConfig | undefined> {
  const commandLine = configFromCommandLine(flags);
  for (const { code, message } of commandLine.notes) addNote(code, message);
  const [eksctl, file, containerd] = await Promise.all([
    nodeFiles === "none" ? undefined : readEksctlKubeletExtra(nodeFiles.root),
    flags.kubeletConfigFile === undefined ? undefined : readNamedFile(flags.kubeletConfigFile, "option --kubelet-config-file"),
    readContainerdConfig(commandLine),
  ]);
  const layers = [kubeletLayer(eksctl, addNote), { config: commandLine.config, problems: commandLine.problems }, kubeletLayer(file, addNote), { config: containerd, problems: [] }];
  const config = mergeNodeConfigs(layers.map((layer) => layer.config));
  if (isNothing(flags, config)) return undefined;
  refuseProblems([...layers.flatMap(({ problems }) => problems), ...validateNodeConfig(config), ...parseUserArguments(config.kubelet.flags).problems, ...missingName(config)]);
  return { config, inputs: inputsOf(flags, eksctl, file), gatherOverrides: commandLine.gatherOverrides };
}

type ConfigLayer = { readonly config: NodeConfig; readonly problems: readonly Problem[] };

function kubeletLayer(file: SourceText | undefined, addNote: AddNote): ConfigLayer {
  if (file === undefined) return { config: EMPTY_NODE_CONFIG, problems: [] };
  const parsed = parseKubeletFragment(file.text, file.source);
  if ("problems" in parsed) return { config: EMPTY_NODE_CONFIG, problems: parsed.problems };
  for (const { code, message } of parsed.notes) addNote(code, message);
  return { config: { ...EMPTY_NODE_CONFIG, kubelet: { config: [parsed.fragment], flags: [] } }, problems: [] };
}

async function readContainerdConfig({ containerdConfigFile }: CommandLineConfig): Promise<NodeConfig> {
  if (containerdConfigFile === undefined) return EMPTY_NODE_CONFIG;
  const { text } = await readNamedFile(containerdConfigFile.value, containerdConfigFile.source);
  const configFile = sourced(text, `${containerdConfigFile.source} (${containerdConfigFile.value})`);
  return { ...EMPTY_NODE_CONFIG, containerd: { ...EMPTY_NODE_CONFIG.containerd, configFile } };
}

function isNothing(flags: ConfigFlags, { cluster }: NodeConfig): boolean {
  return cluster.name === undefined && Object.keys(flags.options).length === 0 && flags.kubeletConfigFile === undefined;
}

/** The name is the one thing that nobody can be asked for. */
function missingName({ cluster }: NodeConfig): readonly Problem[] {
  if (cluster.name !== undefined) return [];
  return [{ source: "all sources", message: "Cannot join a cluster without its name. Name it on the command line, as in `eks-node-agent bootstrap my-cluster`." }];
}

function refuseProblems(problems: readonly Problem[]): void {
  if (problems.length > 0) throw problemsError(problems);
}

function inputsOf(flags: ConfigFlags, eksctl: SourceText | undefined, file: SourceText | undefined): readonly string[] {
  return [
    ...(eksctl === undefined ? [] : [eksctl.source]),
    ...Object.keys(flags.environment).map((name) => `environment ${name}`),
    ...(flags.cluster === undefined ? [] : [`command line: ${flags.cluster}`]),
    ...Object.keys(flags.options).map((name) => `option --${name}`),
    ...(file === undefined ? [] : [`option --kubelet-config-file ${file.source}`]),
  ];
}
