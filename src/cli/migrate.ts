import { buffer } from "node:stream/consumers";
import type { BootstrapCall } from "../config/bootstrap-call.ts";
import { parseEksctlFiles } from "../config/eksctl-files.ts";
import { configFromCommandLine } from "../config/flags-to-config.ts";
import { type ConfigLayer, joinLayers } from "../config/layer.ts";
import type { Loss } from "../config/loss.ts";
import { type OldConfig, readOldUserData } from "../config/old-user-data.ts";
import { noteOf, type Problem, showProblem } from "../config/problems.ts";
import { EMPTY_READING } from "../config/script.ts";
import { toV1alpha1 } from "../config/to-document.ts";
import { unsayableOfCommandLine } from "../config/unsayable.ts";
import { validateNodeConfig } from "../config/validate.ts";
import { AgentError } from "../errors.ts";
import { readEksctlFolder, readNamedBytes } from "../gather/documents.ts";
import type { JsonObject } from "../lib/json.ts";
import { valueAt } from "../lib/merge-json.ts";
import { parseUserArguments } from "../resolve/user-arguments.ts";
import { commandLineLayer } from "./command-line-layer.ts";
import type { Environment } from "./environment.ts";
import { type BootstrapFlags, parseCommandLine } from "./flags.ts";
import { refuseUsage } from "./flag-values.ts";
import type { MigrateFlags, MigrateSource } from "./migrate-flags.ts";
import { showMigration } from "./show-migration.ts";
import type { World } from "./world.ts";

/** Of a NodeConfig that does not say all that was asked for. */
const SOMETHING_LOST = 2;

/**
 * Prints a NodeConfig that configures a node as bootstrap.sh's words, user data or eksctl's files do.
 *
 * @returns the exit status: 2 if something could not be carried over
 * @throws AgentError "usage" and "config-invalid" for what bootstrap itself would refuse, "no-config" when nothing configures a node,
 * "source-unreadable"
 */
export async function migrate({ from }: MigrateFlags, { print }: Pick<World, "print">): Promise<number> {
  const { layer, losses, lostCalls } = await readOldConfig(from);
  const problems = [...layer.problems, ...validateNodeConfig(layer.config), ...parseUserArguments(layer.config.kubelet.flags).problems];
  if (problems.length > 0) throw unusable(problems);
  if (layer.config.cluster.name === undefined) throw withoutName(layer, [...lostCalls, ...losses]);
  const { document, losses: ofConfig, remarks } = toV1alpha1(layer.config);
  const lost = [...lostCalls, ...ofConfig, ...losses];
  const notes = [...layer.notes, ...layer.leniencies.map(noteOf)].map(({ message }) => message);
  print(showMigration({ document, inputs: layer.inputs, losses: lost, notes: [...notes, ...remarks, ...forNodeadm(document)] }));
  return lost.length === 0 ? 0 : SOMETHING_LOST;
}

async function readOldConfig(from: MigrateSource): Promise<OldConfig> {
  switch (from.kind) {
    case "words":
      return withCall({ words: withoutProgram(from.words), source: "command line" }, from.environment);
    case "user-data":
      return withLastCall(readOldUserData(from.file === undefined ? await buffer(process.stdin) : await readNamedBytes(from.file, "option --user-data"), "user-data"));
    case "eksctl": {
      const { environment, kubeletExtra } = await readEksctlFolder(from.folder, "option --eksctl");
      return { ...EMPTY_READING, layer: parseEksctlFiles(environment, kubeletExtra) };
    }
  }
}

/** A call is copied with its program's name sooner than without. */
function withoutProgram(words: readonly string[]): readonly string[] {
  const [, program] = /(?:^|\/)(bootstrap\.sh|eks-node-agent)$/.exec(words[0] ?? "") ?? [];
  return program === undefined ? words : words.slice(program === "eks-node-agent" && words[1] === "bootstrap" ? 2 : 1);
}

/** The last call is the one by which the node is configured in the end. */
async function withLastCall(old: OldConfig): Promise<OldConfig> {
  const call = old.calls.at(-1);
  if (call === undefined) return old;
  const read = await withCall(call, call.environment);
  const earlier = old.calls.slice(0, -1).map(({ source }) => ({ what: `${source}: a call of bootstrap.sh`, instead: "A later call configures the node anew, and only that one is carried over." }));
  return { ...old, layer: joinLayers([old.layer, read.layer]), losses: [...read.losses, ...earlier, ...old.losses] };
}

async function withCall({ words, source }: Pick<BootstrapCall, "words" | "source">, environment: Environment): Promise<OldConfig> {
  const command = await parseCommandLine(["bootstrap", ...words], environment);
  if (command.kind !== "bootstrap") return refuseUsage(`The call of bootstrap.sh (${source}) asks for ${command.kind === "help" ? "help" : "the version"}, and configures nothing`);
  const commandLine = configFromCommandLine(command.flags);
  const layer = commandLineLayer(command.flags, commandLine);
  const inputs = source === "command line" ? layer.inputs : [source];
  return { ...EMPTY_READING, layer: { ...layer, inputs }, losses: [...unsayableOfCommandLine(commandLine), ...lossesOfFlags(command.flags)] };
}

type FlagLoss = { readonly isGiven: (flags: BootstrapFlags) => boolean; readonly loss: Loss };

const JUDGEMENT = "A NodeConfig does not say how strictly it is judged. Give the option to eks-node-agent.";

const FLAG_LOSSES: readonly FlagLoss[] = [
  { isGiven: ({ kubeletConfigFile }) => kubeletConfigFile !== undefined, loss: { what: "option --kubelet-config-file", instead: "Write the fields of the file into spec.kubelet.config." } },
  { isGiven: ({ configSources }) => configSources.length > 0, loss: { what: "option --config-source", instead: "What it names are NodeConfigs already. Give this one as a further source." } },
  { isGiven: ({ strict }) => strict, loss: { what: "option --strict", instead: JUDGEMENT } },
  { isGiven: ({ preflight }) => preflight === "warn", loss: { what: "option --preflight", instead: JUDGEMENT } },
];

function lossesOfFlags(flags: BootstrapFlags): readonly Loss[] {
  return FLAG_LOSSES.filter(({ isGiven }) => isGiven(flags)).map(({ loss }) => loss);
}

function unusable(problems: readonly Problem[]): AgentError {
  return new AgentError("config-invalid", `Cannot migrate this configuration: ${problems.length === 1 ? "1 problem" : `${problems.length} problems`}`, {
    remedy: "Correct what is listed: a bootstrap would refuse it as well.",
    lines: problems.map(showProblem),
  });
}

function withoutName({ inputs }: ConfigLayer, lost: readonly Loss[]): AgentError {
  const lines = lost.map(({ what }) => `not understood: ${what}`);
  if (inputs.length === 0 && lost.length === 0) {
    return new AgentError("no-config", "There is nothing to migrate: no call of bootstrap.sh, no NodeConfig and no file of eksctl's was found", { remedy: "Give the words of the call, as in `eks-node-agent migrate -- my-cluster --ip-family ipv4`." });
  }
  return new AgentError("config-invalid", "Cannot make a NodeConfig without the cluster's name, which nothing that was found gives", {
    remedy: "Give the words of the call, as in `eks-node-agent migrate -- my-cluster --ip-family ipv4`, with the values that the shell would put in.",
    lines,
  });
}

const NODEADM_DEMANDS = ["name", "apiServerEndpoint", "certificateAuthority", "cidr"];

function forNodeadm(document: JsonObject): readonly string[] {
  const missing = NODEADM_DEMANDS.filter((key) => valueAt(document, ["spec", "cluster", key]) === undefined);
  if (missing.length === 0) return [];
  return [`eks-node-agent looks up what is missing of spec.cluster (${missing.join(", ")}); nodeadm itself demands all of ${NODEADM_DEMANDS.slice(0, -1).join(", ")} and ${NODEADM_DEMANDS.at(-1)}.`];
}
