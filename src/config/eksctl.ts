import { type Sourced, sourced } from "../lib/sourced.ts";
import { type ConfigLayer, EMPTY_LAYER, joinLayers, layerOf, unreadable } from "./layer.ts";
import type { NodeConfig } from "./node-config.ts";
import { parseClusterName } from "./setting-values.ts";
import { configOf, type Reading, readValue, SETTINGS } from "./settings.ts";

/**
 * kubelet.env as eksctl's user data leaves it for eksctl's own script, which would hand its lines to bootstrap.sh and add two
 * labels. An empty value is none; variables of other names are of no interest.
 *
 * @param source "file /etc/eksctl/kubelet.env"
 */
export function parseEksctlEnvironment(text: string, source: string): ConfigLayer {
  const lines = text.split("\n").map((line, index) => layerOfLine(line.trim(), source, index + 1));
  const marker = layerOf({ config: configOf({ kubelet: { eksctlLabels: sourced(true, source) } }), inputs: [source] });
  return joinLayers([marker, ...lines]);
}

const ASSIGNMENT = /^(?:export\s+)?([A-Za-z_]\w*)=(.*)$/;

/** The file is sourced by a shell, though eksctl writes nothing that only a shell understands. */
function layerOfLine(line: string, source: string, number: number): ConfigLayer {
  if (line === "" || line.startsWith("#")) return EMPTY_LAYER;
  const [, name = "", value = ""] = ASSIGNMENT.exec(line) ?? [];
  if (name === "") return unreadable({ source, line: number, message: "Cannot read this line: expected NAME=value." });
  const unquoted = value.replace(/^(["'])(.*)\1$/, "$2");
  const read = VARIABLES.get(name);
  if (unquoted === "" || read === undefined) return EMPTY_LAYER;
  const reading = read(sourced(unquoted, `${name} of ${source}`));
  return "problem" in reading ? layerOf({ problems: [{ ...reading.problem, source, line: number }] }) : layerOf({ config: reading.value, notes: reading.notes });
}

type Read = (given: Sourced<string>) => Reading<NodeConfig>;

const VARIABLES: ReadonlyMap<string, Read> = new Map([
  ["CLUSTER_NAME", readName],
  ["API_SERVER_URL", asSetting("APISERVER_ENDPOINT")],
  ["B64_CLUSTER_CA", asSetting("B64_CLUSTER_CA")],
  ["CLUSTER_DNS", asSetting("DNS_CLUSTER_IP")],
  ["CLUSTER_ID", asSetting("CLUSTER_ID")],
  ["CONTAINER_RUNTIME", asSetting("CONTAINER_RUNTIME")],
  ["ENABLE_LOCAL_OUTPOST", asSetting("ENABLE_LOCAL_OUTPOST")],
  ["NODE_LABELS", asFlag("node-labels")],
  ["NODE_TAINTS", asFlag("register-with-taints")],
  ["MAX_PODS", asFlag("max-pods")],
]);

function readName(given: Sourced<string>): Reading<NodeConfig> {
  const reading = readValue(parseClusterName, given);
  return "problem" in reading ? reading : { value: configOf({ cluster: { name: reading.value } }), notes: reading.notes };
}

/** As bootstrap.sh's variable of this name. */
function asSetting(variable: string): Read {
  const setting = SETTINGS.find((each) => each.variable === variable);
  if (setting === undefined) throw new Error(`no setting has the variable ${variable}`);
  return setting.read;
}

function asFlag(name: string): Read {
  return ({ value, source }) => ({ value: configOf({ kubelet: { flags: [sourced([`--${name}=${value}`], source)] } }), notes: [] });
}
