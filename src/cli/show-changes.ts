import type { Finding } from "../preflight/finding.ts";
import type { Note } from "../resolve/notes.ts";
import { valueTable } from "../resolve/value-table.ts";
import { type Line, line, paint } from "./colour.ts";
import { printable } from "./printable.ts";
import { redact } from "./redact.ts";
import type { RunView } from "./run-view.ts";
import { showFacts } from "./show-facts.ts";
import { showDiffs, showFileList } from "./show-files.ts";
import { showSteps } from "./show-steps.ts";
import { showSummary } from "./show-summary.ts";
import { showValues } from "./show-values.ts";
import { wrap } from "./wrap.ts";

export type ShowChangesOptions = {
  /** Whether the steps are only shown: then all that led to them is shown too, and every file's contents. */
  readonly isDryRun: boolean;
  /** Adds every decided value with its source. */
  readonly explain: boolean;
  readonly colour: boolean;
};

/** What a run is about to do, and why, for a person. Ends in a line break. */
export function showChanges(view: RunView, options: ShowChangesOptions): string {
  const sections = options.isDryRun ? dryRunSections(view) : realRunSections(view);
  const values: readonly Section[] = options.explain ? [["Values", showValues(valueTable(view.node))]] : [];
  const summary = showSummary(view.comparison.changes, view.findings, options.isDryRun ? "would" : "will");
  const lines = [...[...sections, ...values].flatMap(showSection), line(summary, "heading")];
  return lines.map(({ style, text }) => `${paint(style, printable(text), options.colour)}\n`).join("");
}

type Section = readonly [title: string, lines: readonly Line[]];

function dryRunSections(view: RunView): readonly Section[] {
  return [
    ["Inputs", showInputs(view.inputs)],
    ["Facts", showFacts(view.facts)],
    ...remarks(view),
    ["Files", showFileList(view.comparison)],
    ["", showDiffs(view.comparison, view.owner).slice(0, -1)],
    ["Steps", showSteps(view.comparison.changes, { withFiles: false })],
  ];
}

function realRunSections(view: RunView): readonly Section[] {
  const { changes } = view.comparison;
  return [...remarks(view), ["Steps", changes.length === 0 ? [] : showSteps(changes, { withFiles: true })]];
}

function remarks({ notes, findings }: RunView): readonly Section[] {
  return [
    ["Notes", notes.flatMap(showNote)],
    ["Preflight", findings.flatMap(showFinding)],
  ];
}

/** A section with nothing in it is left out. */
function showSection([title, lines]: Section): readonly Line[] {
  if (lines.length === 0) return [];
  return [...(title === "" ? [] : [line(title, "heading")]), ...lines, line("")];
}

function showInputs(inputs: readonly string[]): readonly Line[] {
  return inputs.length === 0 ? [line("  none")] : inputs.flatMap((input) => wrap(redact(input), "  ", "    ")).map((text) => line(text));
}

function showNote({ code, message }: Note): readonly Line[] {
  return wrap(redact(`${code}: ${message}`), "  ", "    ").map((text) => line(text));
}

function showFinding({ severity, code, message, source, remedy }: Finding): readonly Line[] {
  const style = severity === "error" ? "error" : "warning";
  return [
    ...wrap(redact(`${severity} ${code}: ${message} (${source}).`), "  ", "    ").map((text) => line(text, style)),
    ...wrap(redact(remedy), "    ", "    ").map((text) => line(text)),
  ];
}
