// `npm run fleet [-- --write]`: prints what becomes of fleets that boot at once; with --write, docs/fleet.md, its plot, and
// what docs/performance.md says of it as well.
import { readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { parseArgs } from "node:util";
import { ROOT } from "../../../packaging/project.ts";
import { ENDPOINT_GIVEN, EXPERIMENTS, runExperiment, type Experiment, type Result } from "./experiments.ts";
import { fleetPage } from "./page.ts";
import { plotJoined } from "./plot.ts";
import { withFleetSummary } from "./summary.ts";
import { showTable } from "./table.ts";

const PLOTTED_NODES = 5_000;

const { values } = parseArgs({ options: { write: { type: "boolean", default: false } } });
const sections: (Experiment & { readonly results: readonly Result[]; readonly table: string })[] = [];
for (const experiment of EXPERIMENTS) {
  const results = await runExperiment(experiment);
  const table = showTable(results);
  process.stdout.write(`${experiment.title}\n${experiment.about}\n${table}\n`);
  sections.push({ ...experiment, results, table });
}
if (values.write) {
  const plotted = sections.find(({ title }) => title === ENDPOINT_GIVEN.title)?.results.filter(({ fleet }) => fleet.nodes === PLOTTED_NODES) ?? [];
  const page = fleetPage(sections);
  const performancePath = join(ROOT, "docs/performance.md");
  writeFileSync(join(ROOT, "docs/fleet.md"), page);
  writeFileSync(performancePath, withFleetSummary(readFileSync(performancePath, "utf8"), page));
  writeFileSync(join(ROOT, "docs/fleet.svg"), plotJoined(plotted));
}
