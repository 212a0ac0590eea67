// `npm run bench [-- --runs N]`: what a run of the executable costs, beside an executable that does nothing. Prints a table, and writes
// build/bench.json.
import { mkdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { parseArgs } from "node:util";
import { agentPath } from "../../packaging/agent.ts";
import { HOST } from "../../packaging/architecture.ts";
import { baseNode } from "../../packaging/base-node.ts";
import { MAIN } from "../../packaging/bundle.ts";
import { makeExecutable } from "../../packaging/executable.ts";
import { BUILD } from "../../packaging/project.ts";
import { rehearse, type Rehearsal } from "../../packaging/rehearsal.ts";
import { train } from "../../packaging/training.ts";
import { measure, medianOf, type Measurement } from "./measure.ts";

const LATENCY = { imdsMs: 2, awsMs: 80 };

type Scenario = { readonly name: string; readonly argv: readonly [string, ...string[]] };
type Result = Measurement & { readonly name: string };

const { values } = parseArgs({ options: { runs: { type: "string", default: "15" } } });
const runs = Number(values.runs);
const results = await rehearse(async (rehearsal) => measureAll(await scenarios(rehearsal), rehearsal.env), { latency: LATENCY });
const machine = { runs, latency: LATENCY, node: process.version, arch: process.arch };
writeFileSync(join(BUILD, "bench.json"), `${JSON.stringify({ ...machine, results }, undefined, 2)}\n`);
process.stdout.write(showTable(results));

async function scenarios({ root }: Rehearsal): Promise<readonly Scenario[]> {
  const agent = agentPath(HOST);
  return [
    { name: "an executable that does nothing", argv: [await emptyExecutable()] },
    { name: "--version", argv: [agent, "--version"] },
    { name: "--help", argv: [agent, "--help"] },
    { name: "bootstrap demo --dry-run", argv: [agent, "bootstrap", "demo", "--root", root, "--dry-run"] },
    { name: "bootstrap demo", argv: [agent, "bootstrap", "demo", "--root", root] },
  ];
}

/** Built as the agent is, from a bundle with nothing in it: the floor under every figure. */
async function emptyExecutable(): Promise<string> {
  const bundle = new Map([[MAIN, "(function(){})"]]);
  const path = join(BUILD, "bench/empty");
  const caches = await train(HOST, await baseNode(HOST), bundle, { commands: [[]], env: {} });
  mkdirSync(join(BUILD, "bench"), { recursive: true });
  await makeExecutable(HOST, { bundle, caches, addons: undefined }, path);
  return path;
}

/** The scenarios take turns, so that what else the machine does in the meantime falls on all of them alike. */
async function measureAll(scenarios: readonly Scenario[], env: Rehearsal["env"]): Promise<readonly Result[]> {
  const measurements = scenarios.map((): Measurement[] => []);
  // The first round warms the page cache and is not counted.
  for (let round = 0; round <= runs; round++) {
    for (const [index, { argv }] of scenarios.entries()) {
      const measurement = await measure({ argv, env });
      if (round > 0) measurements[index]?.push(measurement);
    }
  }
  return scenarios.map(({ name }, index) => ({ name, ...medianOf(measurements[index] ?? []) }));
}

function showTable(results: readonly Result[]): string {
  const rows = results.map(({ name, wallMs, cpuMs, peakMiB }) => [name, wallMs.toFixed(0), cpuMs.toFixed(0), peakMiB.toFixed(0)]);
  const heading = [`median of ${runs}`, "wall ms", "CPU ms", "peak MiB"];
  return [heading, ...rows].map(([name = "", ...figures]) => `${name.padEnd(36)}${figures.map((figure) => figure.padStart(10)).join("")}\n`).join("");
}
