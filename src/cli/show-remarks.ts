import type { Finding } from "../preflight/finding.ts";
import type { Note } from "../resolve/notes.ts";
import { type Line, line } from "./colour.ts";
import { redact } from "./redact.ts";
import type { RunView } from "./run-view.ts";
import { wrap } from "./wrap.ts";

export type Section = readonly [title: string, lines: readonly Line[]];

/** What the run wants noticed: notes, and what preflight found. */
export function showRemarks({ notes, findings }: RunView): readonly Section[] {
  return [
    ["Notes", notes.flatMap(showNote)],
    ["Preflight", findings.flatMap(showFinding)],
  ];
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
