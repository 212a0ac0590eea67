// `npm run bench [-- --runs N] [-- --page]`: what a run of the executable costs, beside an executable that does nothing. Prints a table and
// writes build/bench.json; --page also writes docs/performance.md and its picture.
import { mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { parseArgs } from "node:util";
import { agentPath } from "../../packaging/agent.ts";
import { HOST } from "../../packaging/architecture.ts";
import { baseNode } from "../../packaging/base-node.ts";
import { INDEX, MAIN } from "../../packaging/bundle.ts";
import { makeExecutable } from "../../packaging/executable.ts";
import { BUILD, ROOT } from "../../packaging/project.ts";
import { train } from "../../packaging/training.ts";
import { compareWithAwsCli, GET_TOKEN, LEAST_RATIO, ratioOf, TOKEN, type AwsCliComparison } from "./aws-cli.ts";
import { depthOf, mostInFlight } from "../simulator/log.ts";
import { TLS } from "../simulator/server-tls.ts";
import { type SimulatorOptions, startSimulator } from "../simulator/simulator.ts";
import { type Bed, EMPTY_PROGRAM, makeBed } from "./bed.ts";
import { countInstructions, countSystemCalls, type Counts } from "./counts.ts";
import { type Command, measure, medianOf, type Measurement } from "./measure.ts";
import { showPage, showReport } from "./page.ts";
import type { Latency, Report, Result } from "./report.ts";
import { measureSizes } from "./sizes.ts";
import { ALONE, NETWORKED, NOTHING, OVER_TLS, type Scenario, WATERFALL } from "./scenarios.ts";

const PATH = { PATH: "/usr/sbin:/usr/bin:/sbin:/bin" };
const LATENCIES: readonly Latency[] = [{ imdsMs: 0, awsMs: 0 }, { imdsMs: 2, awsMs: 80 }, { imdsMs: 5, awsMs: 250 }];
const COUNTED_AT: Latency = { imdsMs: 2, awsMs: 80 };
const AGENT = "/usr/bin/eks-node-agent";

const { values } = parseArgs({ options: { runs: { type: "string", default: "15" }, page: { type: "boolean", default: false } } });
const empty = await emptyExecutable();
const bed = makeBed(empty);
try {
  const report = await measureAll(bed, Number(values.runs));
  writeFileSync(join(BUILD, "bench.json"), `${JSON.stringify(report, undefined, 2)}\n`);
  process.stdout.write(showReport(report));
  checkTokenRatio(report.awsCli);
  if (values.page) await writePage(report, bed);
} finally {
  bed.node.remove();
}

/** Built as the agent is, from a bundle with nothing in it: the floor under every figure. */
async function emptyExecutable(): Promise<string> {
  const bundle = new Map([[MAIN, `({"./${MAIN}":function(){}})`], [INDEX, JSON.stringify({ [`./${MAIN}`]: MAIN })]]);
  const path = join(BUILD, "bench/empty");
  const caches = await train(HOST, await baseNode(HOST), bundle, { commands: [{ args: [] }], env: {}, addons: undefined });
  mkdirSync(join(BUILD, "bench"), { recursive: true });
  await makeExecutable(HOST, { bundle, together: [], caches, addons: undefined }, path);
  return path;
}

async function measureAll(bed: Bed, runs: number): Promise<Report> {
  const alone = await measureAt({ imdsMs: 0, awsMs: 0 }, ALONE, bed, runs);
  const networked: Result[] = [];
  for (const latency of LATENCIES) networked.push(...(await measureAt(latency, NETWORKED, bed, runs)).results.map((result) => ({ ...result, latency })));
  networked.push(...(await measureAt(COUNTED_AT, OVER_TLS, bed, runs, TLS)).results.map((result) => ({ ...result, latency: COUNTED_AT })));
  const [counts, awsCli, sizes] = [await countAll(bed), await compareWithAwsCli(runs), await measureSizes()];
  return { runs, node: process.version, arch: HOST, empty: alone.empty, results: [...alone.results, ...networked], counts, awsCli, sizes };
}

/** The scenarios take turns, so that what else the machine does in the meantime falls on all of them alike. */
async function measureAt(latency: Latency, scenarios: readonly Scenario[], bed: Bed, runs: number, tls?: SimulatorOptions["tls"]): Promise<{ readonly empty: Measurement; readonly results: readonly Result[] }> {
  const simulator = await startSimulator({ latency, ...(tls && { tls }) });
  const empty: Measurement[] = [];
  const measured = scenarios.map((): Measurement[] => []);
  const results: Result[] = [];
  // The first round warms the page cache and is not counted.
  for (let round = 0; round <= runs; round++) {
    const floor = await measure({ root: bed.node.path, argv: [EMPTY_PROGRAM] });
    if (round > 0) empty.push(floor);
    for (const [index, { name, args, world, isFirst, environment }] of scenarios.entries()) {
      if (isFirst) bed.reset();
      simulator.setWorld(world);
      const before = simulator.requests.length;
      const one = await measure({ root: bed.node.path, argv: [AGENT, ...args], env: { ...PATH, ...simulator.environment, ...environment } });
      const requests = simulator.requests.slice(before);
      if (round > 0) measured[index]?.push(one);
      results[index] = { name, requests: requests.length, depth: depthOf(requests), inFlight: mostInFlight(requests), ...medianOf(measured[index] ?? []) };
    }
  }
  await simulator.close();
  return { empty: medianOf(empty), results };
}

/** Once each: the counts of two runs differ by a few system calls of threads that wait for one another. */
async function countAll(bed: Bed): Promise<readonly Counts[]> {
  const simulator = await startSimulator({ latency: COUNTED_AT });
  const counts: Counts[] = [{ name: NOTHING, systemCalls: await countSystemCalls({ argv: bed.argv(EMPTY_PROGRAM, []) }), instructions: await countInstructions({ argv: [empty] }) }];
  for (const { name, args, world, isFirst, environment } of [...ALONE, ...NETWORKED]) {
    if (isFirst) bed.reset();
    simulator.setWorld(world);
    const env = { ...PATH, ...simulator.environment, ...environment };
    // Valgrind would need a machine of its own below the bed's root; who asks nobody needs no bed.
    const inTheOpen: Command | undefined = ALONE.some((scenario) => scenario.name === name) ? { argv: [agentPath(HOST), ...args], env } : undefined;
    counts.push({ name, systemCalls: await countSystemCalls({ argv: bed.argv(AGENT, args), env }), instructions: inTheOpen && (await countInstructions(inTheOpen)) });
  }
  await simulator.close();
  return counts;
}

function checkTokenRatio(comparison: AwsCliComparison | undefined): void {
  const ratio = comparison === undefined ? Infinity : ratioOf(comparison, GET_TOKEN, TOKEN);
  if (ratio >= LEAST_RATIO) return;
  process.stderr.write(`${TOKEN} is ${ratio.toFixed(1)} times as fast as ${GET_TOKEN}: it shall be ${LEAST_RATIO} times.\n`);
  process.exitCode = 1;
}

async function writePage(report: Report, bed: Bed): Promise<void> {
  const scenario = NETWORKED.find(({ name }) => name === WATERFALL);
  if (scenario === undefined) throw new Error(`there is no scenario "${WATERFALL}"`);
  const simulator = await startSimulator({ latency: COUNTED_AT });
  bed.reset();
  await bed.node.run(scenario.args, { environment: simulator.environment });
  const { stdout } = await bed.node.run(["report", "--output", "svg"]);
  await simulator.close();
  writeFileSync(join(ROOT, "docs/performance.svg"), stdout);
  writeFileSync(join(ROOT, "docs/performance.md"), showPage(report, readFileSync(join(ROOT, "docs/fleet.md"), "utf8")));
}
