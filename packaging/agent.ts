import { existsSync, mkdirSync, readFileSync, statSync, writeFileSync } from "node:fs";
import { join, relative } from "node:path";
import { startSimulator } from "../test/simulator/simulator.ts";
import { CLUSTER, CLUSTER_CA_PEM, USER_DATA, WORLD } from "../test/simulator/world.ts";
import { type Addons, compileAddons } from "./addon.ts";
import { type Architecture, HOST } from "./architecture.ts";
import { baseNode, stripFor } from "./base-node.ts";
import { type Bundle, bundle } from "./bundle.ts";
import { enclose } from "./enclosure.ts";
import { makeExecutable } from "./executable.ts";
import { digestInputs } from "./inputs.ts";
import { isPackOf, type Stages } from "./packs.ts";
import { BUILD, DIST, projectVersion, ROOT } from "./project.ts";
import { rehearse } from "./rehearsal.ts";
import { wayIntoRoot } from "./root-directory.ts";
import { runTool } from "./tool.ts";
import { type CodeCaches, runnerFor, train, type TrainingCommand } from "./training.ts";

/** Where the agent for `arch` is when it has been built. */
export function agentPath(arch: Architecture): string {
  return join(DIST, arch === HOST ? "eks-node-agent" : `eks-node-agent-${arch}`);
}

/**
 * Builds the agent for `arch` unless the one that is there was made from these same inputs.
 *
 * @param say takes each line about what was done, or had to be left out because a tool is missing
 */
export async function buildAgent(arch: Architecture, say: (line: string) => void): Promise<void> {
  const path = agentPath(arch);
  const stamp = join(BUILD, `agent-${arch}.inputs`);
  const inputs = digestInputs(arch);
  if (existsSync(path) && existsSync(stamp) && readFileSync(stamp, "utf8") === inputs) {
    say(`${relative(ROOT, path)} is up to date`);
    return;
  }
  const startedAt = Date.now();
  mkdirSync(DIST, { recursive: true });
  await makeAgent(arch, path, say);
  await smokeTest(arch, path, say);
  writeFileSync(stamp, inputs);
  say(`${relative(ROOT, path)}: ${Math.round(statSync(path).size / 1e6)} MB for ${arch}, in ${Math.round((Date.now() - startedAt) / 1000)} s`);
}

async function makeAgent(arch: Architecture, output: string, say: (line: string) => void): Promise<void> {
  const parts = await bundle(join(ROOT, "src/main.ts"), projectVersion(), STAGES);
  const [node, addons] = await Promise.all([baseNode(arch), compileAddons(arch)]);
  const enter = wayIntoRoot();
  const caches = await trained(arch, node, parts, addons, enter);
  if (stripFor(arch) === undefined) say(`No strip for ${arch} (Debian: binutils): the executable keeps its symbols and is 18 MB larger.`);
  if (addons === undefined) say(`No C++ compiler for ${arch} (Debian: g++): the executable speaks to systemd through the program systemd-notify, its journal entries have no fields, and it takes longer to start programs.`);
  if (enter === undefined) say("No way to another root directory here (as root, or with user namespaces): the executable starts units a little more slowly.");
  if (caches === undefined) say(`No way to run ${arch} here (Debian: qemu-user-static): the executable starts without its code cache, twice as slowly.`);
  const together = [...parts.keys()].filter((name) => isPackOf(STAGES, name));
  await makeExecutable(arch, { bundle: parts, together, caches, addons }, output);
}

/** What a node's start asks for together: at once; until the questions are asked; where there is user data or a file; and while AWS answers. */
const STAGES: Stages = {
  main: { modules: ["src/main.ts"] },
  ask: { modules: ["src/cli/as-service.ts", "src/cli/recorded-run.ts", "packaging/bundled/undici.mjs", "src/io/smithy.ts", "packaging/bundled/yargs-helpers.mjs"] },
  documents: { modules: ["src/config/user-data.ts", "src/config/config-text.ts"], after: "ask" },
  configure: { modules: ["src/cli/configure.ts", "src/cli/last-run-file.ts", "node_modules/fast-xml-parser/src/fxp.js"], after: "ask" },
  token: { modules: ["src/cli/token-flags.ts", "src/cli/token.ts", "src/io/smithy.ts", "packaging/bundled/yargs-helpers.mjs"] },
};

type Enter = ReturnType<typeof wayIntoRoot>;

/** Without a root directory of its own a run can start no units. */
async function trained(arch: Architecture, node: string, parts: Bundle, addons: Addons | undefined, enter: Enter): Promise<CodeCaches | undefined> {
  // As on a node, all is prepared before EC2 answers: else it would be a matter of chance which functions run. Emulated that takes longer.
  const options = { latency: { imdsMs: 0, awsMs: arch === HOST ? 300 : 1500 } };
  const configured = await startSimulator({ ...options, world: { ...WORLD, userData: USER_DATA } });
  const commands = (place: readonly string[]): readonly TrainingCommand[] => trainedPaths(place, configured.environment);
  try {
    if (enter === undefined) return await rehearse(({ root, env }) => train(arch, node, parts, { commands: commands(["--root", root]), env, addons }), options);
    return await enclose(({ root, env }) => train(arch, node, parts, { commands: commands([]), env, addons, within: { root, enter: enter(root) } }), options);
  } finally {
    await configured.close();
  }
}

/**
 * What nodes do. What they seldom do is compiled when it is needed.
 *
 * @param byUserData variables that lead to an instance with user data
 */
function trainedPaths(place: readonly string[], byUserData: Readonly<Record<string, string>>): readonly TrainingCommand[] {
  // The state of the machine that builds is no reason to train less.
  const options = [...place, "--preflight", "warn", "--wait", "none"];
  const bootstrap = ["bootstrap", "demo", ...options];
  const given = ["--apiserver-endpoint", String(CLUSTER.endpoint), "--b64-cluster-ca", Buffer.from(CLUSTER_CA_PEM).toString("base64")];
  // The first run writes everything. The others find nothing to do, often enough to meet whatever a moment's delay makes a network client
  // do, so that the same functions are in every build.
  const runs = [["--help"], ["token", "--cluster", "demo", "--region", "us-west-2"], ["facts", "demo", ...place], [...bootstrap, "--dry-run"], ...Array<string[]>(6).fill(bootstrap), [...bootstrap, ...given]];
  return [...runs.map((args) => ({ args })), { args: ["bootstrap", ...options], env: byUserData }];
}

async function smokeTest(arch: Architecture, path: string, say: (line: string) => void): Promise<void> {
  const runner = runnerFor(arch);
  if (runner === undefined) {
    say(`${relative(ROOT, path)} was not tried: this machine cannot run ${arch}.`);
    return;
  }
  const [program, ...args] = [...runner, path, "--version"];
  const answer = (await runTool(program, args)).trim();
  const expected = `eks-node-agent ${projectVersion()}`;
  if (answer !== expected) throw new Error(`"${path}" answers --version with "${answer}", not "${expected}"`);
}
