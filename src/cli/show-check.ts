import { type ConfigNote, type Problem, showProblem } from "../config/problems.ts";
import { printJson } from "../lib/json.ts";
import { paint } from "./colour.ts";
import { printable } from "./printable.ts";
import { redact } from "./redact.ts";
import { plural } from "./show-summary.ts";

/** What came of checking configuration. */
export type Checked = {
  /** The documents that were found, in words, the strongest last. */
  readonly documents: readonly string[];
  readonly problems: readonly Problem[];
  readonly notes: readonly ConfigNote[];
};

/** Each problem and each note on a line of its own, then the sum of them. */
export function showCheck({ documents, problems, notes }: Checked, colour: boolean): string {
  const lines = [
    ...problems.map((problem) => paint("error", clean(showProblem(problem)), colour)),
    ...notes.map(({ message }) => clean(`note: ${message}`)),
    `${plural(documents.length, "document")}${documents.length === 0 ? "" : `: ${documents.map(clean).join(", ")}`}`,
    problems.length === 0 ? "No problems." : `${plural(problems.length, "problem")}.`,
  ];
  return `${lines.join("\n")}\n`;
}

function clean(text: string): string {
  return printable(redact(text));
}

/** The same for a program, with null for a path or a line that a problem has not. */
export function showCheckJson({ documents, problems, notes }: Checked): string {
  return printJson({
    documents,
    problems: problems.map(({ source, path = null, line = null, message }) => ({ source, path, line, message: redact(message) })),
    notes: notes.map(({ code, message }) => ({ code, message: redact(message) })),
  });
}
