import { AS_THEY_ASK, ENDPOINT_GIVEN, type Experiment } from "./experiments.ts";

/** Of the fleets, the one that docs/fleet.svg shows. */
const NODES = "5,000";

const HEADING = "## Where thousands of nodes boot at once";

/** What docs/performance.md says of docs/fleet.md, whose text is given: the plot, and of its tables the fleet that is plotted. */
export function fleetSummary(page: string): string {
  return `${HEADING}

How long an account's limits keep nodes waiting, and how often they ask. These are ${NODES} nodes of [a simulated fleet](fleet.md), whose page has the
others, what is assumed, and how to repeat it with \`npm run fleet\`. Percentiles are of all nodes.

![Nodes that have joined over time](fleet.svg)

${tableOf(page, ENDPOINT_GIVEN)}
The same with the limit that each program's own requests have. The agent's have a filter, which doubles it:

${tableOf(page, AS_THEY_ASK)}`;
}

/** docs/performance.md with that part made anew. */
export function withFleetSummary(performancePage: string, page: string): string {
  const start = performancePage.indexOf(HEADING);
  const end = performancePage.indexOf("\n## ", start);
  if (start === -1 || end === -1) throw new Error(`docs/performance.md has no "${HEADING}" with something below it`);
  return performancePage.slice(0, start) + fleetSummary(page) + performancePage.slice(end);
}

function tableOf(page: string, { title }: Experiment): string {
  const section = page.split("\n## ").find((text) => text.startsWith(`${title}\n`)) ?? "";
  const [heads = "", line = "", ...rows] = section.split("\n").filter((text) => text.startsWith("|"));
  const shown = rows.filter((row) => row.startsWith(`| ${NODES} |`));
  if (shown.length === 0) throw new Error(`docs/fleet.md has no ${NODES} nodes in "${title}"`);
  return [heads, line, ...shown].map((row) => `${row}\n`).join("");
}
