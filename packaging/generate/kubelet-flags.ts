import { generatedFile, rowsConstant } from "./generated-file.ts";
import { minorOf, parseTable } from "./table.ts";
import type { Row } from "./table.ts";

const DOCSTRING = `
Flags of kubelet 1.20 to 1.36, sorted; one line each, columns separated by a tab: name, type, what a repeated flag does,
operating system, and minors of 1.x: added, deprecated from, no longer deprecated from, removed in (the first without
it); then the KubeletConfiguration path of the same setting and the minor that brought that field. See kubelet-flag-lookup.ts.
`;

/** Text of src/data/kubelet-flags.ts. */
export function generateKubeletFlags(tsv: string): string {
  const rows = parseTable(tsv).map(line).sort();
  return generatedFile("kubelet-flags.tsv", rowsConstant("KUBELET_FLAGS", DOCSTRING, rows));
}

function line(row: Row): string {
  return [
    row("flag"),
    row("type"),
    row("repeat"),
    row("os"),
    minorOf(row("added")),
    minorOf(row("deprecated_in")),
    minorOf(row("undeprecated_in")),
    minorOf(row("removed_in")),
    row("config_field"),
    minorOf(row("config_field_since")),
  ].join("\t");
}
