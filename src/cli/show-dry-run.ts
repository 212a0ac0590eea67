import { type Line, line } from "./colour.ts";
import { redact } from "./redact.ts";
import type { RunView } from "./run-view.ts";
import { showFacts } from "./show-facts.ts";
import { showBlocks, showDiffs, showFileList } from "./show-files.ts";
import { type Section, showRemarks } from "./show-remarks.ts";
import { showSteps } from "./show-steps.ts";
import { wrap } from "./wrap.ts";

/** All that a run would do and all that led to it, every file's contents too. */
export function dryRunSections(view: RunView): readonly Section[] {
  return [
    ["Inputs", showInputs(view.inputs)],
    ["Facts", showFacts(view.facts)],
    ...showRemarks(view),
    ["Files", showFileList(view.comparison)],
    ["", [...showDiffs(view.comparison, view.owner), ...showBlocks(view.comparison)].slice(0, -1)],
    ["Steps", showSteps(view.comparison.changes, { withFiles: false })],
  ];
}

function showInputs(inputs: readonly string[]): readonly Line[] {
  return inputs.length === 0 ? [line("  none")] : inputs.flatMap((input) => wrap(redact(input), "  ", "    ")).map((text) => line(text));
}
