import type { Result } from "./experiments.ts";
import { joinPercentile } from "./simulate.ts";

const PERCENTS = [50, 90, 99, 100] as const;

/** Results as a table in Markdown; seconds from boot until a node has what it needs to join. */
export function showTable(results: readonly Result[]): string {
  const heads = ["nodes", "", "p50", "p90", "p99", "last", "never", "requests"];
  const rows = results.map(rowOf);
  return [heads, heads.map((_, column) => (column === 1 ? "---" : "--:")), ...rows].map((cells) => `| ${cells.join(" | ")} |\n`).join("");
}

function rowOf({ fleet, outcome }: Result): readonly string[] {
  const times = PERCENTS.map((percent) => showSeconds(joinPercentile(outcome, percent)));
  return [showCount(fleet.nodes), fleet.program.name, ...times, showCount(outcome.failed), showCount(outcome.calls)];
}

/** A dash for what never came. */
function showSeconds(ms: number | undefined): string {
  return ms === undefined ? "–" : `${(ms / 1_000).toFixed(1)} s`;
}

function showCount(count: number): string {
  return String(count).replaceAll(/\B(?=(\d{3})+$)/g, ",");
}
