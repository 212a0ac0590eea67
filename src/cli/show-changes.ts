import { valueTable } from "../resolve/value-table.ts";
import { type Line, line, paint } from "./colour.ts";
import { printable } from "./printable.ts";
import type { RunView } from "./run-view.ts";
import { type Section, showRemarks } from "./show-remarks.ts";
import { showSteps } from "./show-steps.ts";
import { showSummary } from "./show-summary.ts";
import { showValues } from "./show-values.ts";

export type ShowChangesOptions = {
  /** Whether the steps are only shown: then all that led to them is shown too, and every file's contents. */
  readonly isDryRun: boolean;
  /** Adds every decided value with its source. */
  readonly explain: boolean;
  readonly colour: boolean;
};

/** What a run is about to do, and why, for a person. Ends in a line break. */
export async function showChanges(view: RunView, options: ShowChangesOptions): Promise<string> {
  const sections = options.isDryRun ? await dryRunSections(view) : realRunSections(view);
  const values: readonly Section[] = options.explain ? [["Values", showValues(valueTable(view.node))]] : [];
  const summary = showSummary(view.comparison.changes, view.findings, options.isDryRun ? "would" : "will");
  const lines = [...[...sections, ...values].flatMap(showSection), line(summary, "heading")];
  return lines.map(({ style, text }) => `${paint(style, printable(text), options.colour)}\n`).join("");
}

/** Loaded only when wanted: a node that boots has no use for diffs. */
async function dryRunSections(view: RunView): Promise<readonly Section[]> {
  return (await import("./show-dry-run.ts")).dryRunSections(view);
}

function realRunSections(view: RunView): readonly Section[] {
  const { changes } = view.comparison;
  return [...showRemarks(view), ["Steps", changes.length === 0 ? [] : showSteps(changes, { withFiles: true })]];
}

/** A section with nothing in it is left out. */
function showSection([title, lines]: Section): readonly Line[] {
  if (lines.length === 0) return [];
  return [...(title === "" ? [] : [line(title, "heading")]), ...lines, line("")];
}
