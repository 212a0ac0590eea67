// `npm run bench [-- --runs N] [-- --page]`: what a run of the executable costs, beside an executable that does nothing. Prints a table and
// writes build/bench.json; --page also writes docs/performance.md and its picture.
import { mkdirSync, readFileSync, statSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { parseArgs } from "node:util";
import { agentPath } from "../../packaging/agent.ts";
import { HOST } from "../../packaging/architecture.ts";
import { baseNode } from "../../packaging/base-node.ts";
import { INDEX, MAIN } from "../../packaging/bundle.ts";
import { makeExecutable } from "../../packaging/executable.ts";
import { BUILD, ROOT } from "../../packaging/project.ts";
import { train } from "../../packaging/training.ts";
import { depthOf, mostInFlight } from "../simulator/log.ts";
import { startSimulator } from "../simulator/simulator.ts";
import { type Bed, EMPTY_PROGRAM, makeBed } from "./bed.ts";
import { measure, medianOf, type Measurement } from "./measure.ts";
import { type Latency, type Report, type Result, showPage, showTable } from "./page.ts";
import { ALONE, NETWORKED, type Scenario, WATERFALL } from "./scenarios.ts";

const LATENCIES: readonly Latency[] = [{ imdsMs: 0, awsMs: 0 }, { imdsMs: 2, awsMs: 80 }, { imdsMs: 5, awsMs: 250 }];
const AGENT = "/usr/bin/eks-node-agent";

const { values } = parseArgs({ options: { runs: { type: "string", default: "15" }, page: { type: "boolean", default: false } } });
const bed = makeBed(await emptyExecutable());
try {
  const report = await measureAll(bed, Number(values.runs));
  writeFileSync(join(BUILD, "bench.json"), `${JSON.stringify(report, undefined, 2)}\n`);
  process.stdout.write(showTable(report));
  if (values.page) await writePage(report, bed);
} finally {
  bed.node.remove();
}

/** Built as the agent is, from a bundle with nothing in it: the floor under every figure. */
async function emptyExecutable(): Promise<string> {
  const bundle = new Map([[MAIN, `({"./${MAIN}":function(){}})`], [INDEX, JSON.stringify({ [`./${MAIN}`]: MAIN })]]);
  const path = join(BUILD, "bench/empty");
  const caches = await train(HOST, await baseNode(HOST), bundle, { commands: [[]], env: {} });
  mkdirSync(join(BUILD, "bench"), { recursive: true });
  await makeExecutable(HOST, { bundle, caches, addons: undefined }, path);
  return path;
}

async function measureAll(bed: Bed, runs: number): Promise<Report> {
  const alone = await measureAt({ imdsMs: 0, awsMs: 0 }, ALONE, bed, runs);
  const networked: Result[] = [];
  for (const latency of LATENCIES) networked.push(...(await measureAt(latency, NETWORKED, bed, runs)).results.map((result) => ({ ...result, latency })));
  return { runs, node: process.version, arch: HOST, executableBytes: statSync(agentPath(HOST)).size, empty: alone.empty, results: [...alone.results, ...networked] };
}

/** The scenarios take turns, so that what else the machine does in the meantime falls on all of them alike. */
async function measureAt(latency: Latency, scenarios: readonly Scenario[], bed: Bed, runs: number): Promise<{ readonly empty: Measurement; readonly results: readonly Result[] }> {
  const simulator = await startSimulator({ latency });
  const empty: Measurement[] = [];
  const measured = scenarios.map((): Measurement[] => []);
  const results: Result[] = [];
  // The first round warms the page cache and is not counted.
  for (let round = 0; round <= runs; round++) {
    const floor = await measure({ argv: bed.argv(EMPTY_PROGRAM, []) });
    if (round > 0) empty.push(floor);
    for (const [index, { name, args, world, isFirst, environment }] of scenarios.entries()) {
      if (isFirst) bed.reset();
      simulator.setWorld(world);
      const before = simulator.requests.length;
      const one = await measure({ argv: bed.argv(AGENT, args), env: { PATH: "/usr/sbin:/usr/bin:/sbin:/bin", ...simulator.environment, ...environment } });
      const requests = simulator.requests.slice(before);
      if (round > 0) measured[index]?.push(one);
      results[index] = { name, requests: requests.length, depth: depthOf(requests), inFlight: mostInFlight(requests), ...medianOf(measured[index] ?? []) };
    }
  }
  await simulator.close();
  return { empty: medianOf(empty), results };
}

async function writePage(report: Report, bed: Bed): Promise<void> {
  const scenario = NETWORKED.find(({ name }) => name === WATERFALL);
  if (scenario === undefined) throw new Error(`there is no scenario "${WATERFALL}"`);
  const simulator = await startSimulator({ latency: { imdsMs: 2, awsMs: 80 } });
  bed.reset();
  await bed.node.run(scenario.args, { environment: simulator.environment });
  const { stdout } = await bed.node.run(["report", "--output", "svg"]);
  await simulator.close();
  writeFileSync(join(ROOT, "docs/performance.svg"), stdout);
  writeFileSync(join(ROOT, "docs/performance.md"), showPage(report, readFileSync(join(ROOT, "docs/fleet.md"), "utf8")));
}
