import { EMPTY_LAYER, type ConfigLayer, joinLayers, layerOf } from "../config/layer.ts";
import { mentionsNodeConfig } from "../config/mentions-node-config.ts";
import { showProblem } from "../config/problems.ts";
import { AgentError } from "../errors.ts";
import { whatArrived } from "../io/when-sent.ts";
import { readConfigPath, readDropIns, type SourceText } from "../gather/documents.ts";

/** What configuration is read from besides the command line. */
export type Sources = {
  /** Directory that the usual places are below, "" for this machine; undefined for a run that reads only what is named. */
  readonly root: string | undefined;
  /** Undefined when the instance has none. */
  readonly userData: () => Promise<Buffer | undefined>;
  /** Told when there is a NodeConfig in it, before that is read. */
  readonly onNodeConfig?: () => void;
};

export type SourceReading = {
  readonly kind: "user-data" | "files";
  readonly layer: ConfigLayer;
  /** Why there was no answer. */
  readonly failure: AgentError | undefined;
};

/**
 * The NodeConfig documents of the sources named, or of the usual ones where none is, the weakest first.
 *
 * @param named addresses: imds://user-data, or file:// and an absolute path
 * @throws AgentError "source-unreadable" for a file or folder
 */
export async function readConfigSources(named: readonly string[], sources: Sources): Promise<readonly SourceReading[]> {
  const { root } = sources;
  if (named.length > 0) return Promise.all(named.map((source) => readSource(source, sources)));
  return root === undefined ? [] : Promise.all([readUserData(sources), readDropIns(root).then(ofFiles)]);
}

function readSource(source: string, sources: Sources): Promise<SourceReading> {
  return source === USER_DATA ? readUserData(sources) : readConfigPath(source.slice("file://".length), "option --config-source").then(ofFiles);
}

const USER_DATA = "imds://user-data";

async function readUserData({ userData, onNodeConfig }: Sources): Promise<SourceReading> {
  try {
    return { kind: "user-data", layer: await parseUserDataIfAny(await userData(), onNodeConfig), failure: undefined };
  } catch (error) {
    if (!(error instanceof AgentError)) throw error;
    return { kind: "user-data", layer: EMPTY_LAYER, failure: error };
  }
}

/** The parser, and YAML's library with it, is loaded only where there is something to parse. */
async function parseUserDataIfAny(bytes: Buffer | undefined, onNodeConfig: () => void = () => undefined): Promise<ConfigLayer> {
  if (bytes === undefined || !mentionsNodeConfig(bytes)) return EMPTY_LAYER;
  onNodeConfig();
  // What was asked goes out, and what is answered goes on, before each of two things that take long.
  await whatArrived();
  const { parseUserData } = await import("../config/user-data.ts");
  await whatArrived();
  return parseUserData(bytes);
}

async function ofFiles(files: readonly SourceText[]): Promise<SourceReading> {
  return { kind: "files", layer: await parseConfigFiles(files), failure: undefined };
}

/** @throws AgentError when the source did not answer */
export function demandedLayer({ failure, layer }: SourceReading): ConfigLayer {
  if (failure !== undefined) throw failure;
  return layer;
}

/** What to go on with where the node is configured without its user data: of a text that is half understood, nothing. */
export function dispensableLayer({ kind, failure, layer }: SourceReading): ConfigLayer {
  const faults = [...(failure === undefined ? [] : [failure.message]), ...layer.faults.map((fault) => showProblem(fault))];
  if (kind === "files" || faults.length === 0) return layer;
  return layerOf({ notes: faults.map((fault) => ({ code: "user-data-ignored", message: `All of the user data is left out, as something else names the cluster. ${fault}` })) });
}

/** What files of NodeConfig documents ask for, the weakest first. */
export async function parseConfigFiles(files: readonly SourceText[]): Promise<ConfigLayer> {
  if (files.length === 0) return EMPTY_LAYER;
  const { parseConfigText } = await import("../config/config-text.ts");
  return joinLayers(files.map((file) => parseConfigText({ ...file, givenAs: "file" })));
}
