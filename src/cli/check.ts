import { machineAt } from "../apply/machine.ts";
import { text as textOf } from "node:stream/consumers";
import { parseConfigText } from "../config/config-text.ts";
import { type ConfigLayer, joinLayers } from "../config/layer.ts";
import { parseMime } from "../config/mime.ts";
import { parseUserData } from "../config/user-data.ts";
import { inReadingOrder, type Leniency, type Problem } from "../config/problems.ts";
import { validateNodeConfig } from "../config/validate.ts";
import { AgentError, EXIT_STATUS } from "../errors.ts";
import { readConfigPath, type SourceText } from "../gather/documents.ts";
import { imdsEndpoint } from "../gather/imds-endpoint.ts";
import { createImds } from "../gather/imds.ts";
import { SYSTEM_CLOCK } from "../io/retry.ts";
import { parseUserArguments } from "../resolve/user-arguments.ts";
import type { CheckFlags } from "./check-flags.ts";
import { demandedLayer, readConfigSources } from "./config-sources.ts";
import { readEksctl } from "./eksctl-layer.ts";
import { tellGatherEvent } from "./gather-events.ts";
import { maxPodsExpressionProblems } from "./max-pods-evaluator.ts";
import { type Checked, showCheck, showCheckJson } from "./show-check.ts";
import type { World } from "./world.ts";

type CheckWorld = Pick<World, "environment" | "log" | "print" | "colour" | "signal">;

/**
 * Judges NodeConfig documents strictly, without a node: those of the files named, or those that a run here would read. With files,
 * nothing else is read and nothing is asked.
 *
 * @returns the exit status
 * @throws AgentError for what cannot be read, and when there is no document
 */
export async function check(flags: CheckFlags, world: CheckWorld): Promise<number> {
  const layer = await (flags.files.length > 0 ? readFiles(flags.files) : readSources(flags, world));
  const checked = judge({ ...layer, problems: [...layer.problems, ...(await maxPodsExpressionProblems(layer.config))] });
  if (checked.documents.length === 0 && checked.problems.length === 0) throw noDocument();
  world.print(flags.output === "json" ? showCheckJson(checked) : showCheck(checked, world.colour));
  return checked.problems.length === 0 ? 0 : EXIT_STATUS["config-invalid"];
}

/** A cluster's name may be in no document, since the command line can give it. */
function judge({ config, inputs, problems, leniencies, notes }: ConfigLayer): Checked {
  const ofAll = [...validateNodeConfig(config), ...parseUserArguments(config.kubelet.flags).problems];
  return { documents: inputs, problems: inReadingOrder([...problems, ...leniencies.map(asProblem), ...ofAll], inputs), notes };
}

function asProblem({ code: _, ...problem }: Leniency): Problem {
  return problem;
}

function noDocument(): AgentError {
  return new AgentError("no-config", "There is nothing to check: no source of configuration holds a NodeConfig", { remedy: "Name the files, as in `eks-node-agent check node.yaml`." });
}

async function readFiles(paths: readonly string[]): Promise<ConfigLayer> {
  const files = await Promise.all(paths.map(async (path) => (path === "-" ? [{ source: "standard input", text: await textOf(process.stdin) }] : readConfigPath(path, "named to be checked"))));
  return joinLayers(files.flat().map(layerOfFile));
}

/** A NodeConfig, or user data in MIME as it is kept beside a launch template. */
function layerOfFile({ source, text }: SourceText): ConfigLayer {
  return parseMime(text) === undefined ? parseConfigText({ source, text, givenAs: "file" }) : parseUserData(Buffer.from(text), source);
}

async function readSources({ configSources, root }: CheckFlags, world: CheckWorld): Promise<ConfigLayer> {
  const below = machineAt(root).root;
  const [documents, eksctl] = await Promise.all([readConfigSources(configSources, { root: below, userData: () => fetchUserData(world) }), readEksctl(below)]);
  return joinLayers([...documents.map(demandedLayer), eksctl]);
}

/** Who checks is waiting. */
const PATIENCE_MS = 10_000;

async function fetchUserData({ environment, log, signal }: CheckWorld): Promise<Buffer | undefined> {
  const imds = createImds({
    imds: { endpoint: imdsEndpoint(environment) },
    deadlineAt: SYSTEM_CLOCK.now() + PATIENCE_MS,
    clock: SYSTEM_CLOCK,
    onEvent: (event) => tellGatherEvent(event, log, (_, message) => log.warn(message)),
  });
  try {
    return await imds.getBytes("user-data", { signal });
  } finally {
    await imds.close();
  }
}
