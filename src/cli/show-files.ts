import { diffFile } from "../plan/diff.ts";
import type { Owner } from "../plan/owner.ts";
import type { ComparedFile, Comparison } from "../plan/plan.ts";
import { type Line, line, type Style } from "./colour.ts";
import { printable } from "./printable.ts";
import { redact } from "./redact.ts";

type State = ComparedFile["state"];

const STATES: Readonly<Record<State, { readonly text: string; readonly style: Style }>> = {
  new: { text: "new", style: "added" },
  changed: { text: "changed", style: "warning" },
  unchanged: { text: "unchanged", style: "faint" },
  unknown: { text: "unknown (not readable)", style: "warning" },
  removed: { text: "removed", style: "removed" },
};

/** Every file, and every block, in a line with its state and mode, the longest state deciding the width of its column. */
export function showFileList({ files, blocks, changes }: Comparison): readonly Line[] {
  if (files.length + blocks.length === 0) return [line("  none")];
  const width = Math.max(...[...files, ...blocks].map(({ state }) => STATES[state].text.length));
  const row = (state: State, rest: string): Line => line(`  ${STATES[state].text.padEnd(width)}  ${rest}`, STATES[state].style);
  return [
    ...files.map((file) => row(file.state, `${showMode(file)}  ${file.path}${isDrift(file, changes) ? "  (altered since the agent wrote it)" : ""}`)),
    ...blocks.map(({ state, path }) => row(state, `      ${path}  (lines of the agent's in it)`)),
  ];
}

/** The lines of each block that would change. */
export function showBlocks({ blocks }: Comparison): readonly Line[] {
  return blocks.flatMap(({ path, state, planned }) => {
    if (planned === undefined || state === "unchanged") return [];
    return [line(`${path}: lines of the agent's, ${STATES[state].text}`, "heading"), ...planned.lines.flatMap((text) => diffLines(`+${text}`)), line("")];
  });
}

/**
 * What would change in each file, from the first column on, so that `patch` understands it. A new file is compared with
 * nothing: the whole of it is shown.
 */
export function showDiffs({ files }: Comparison, owner: Owner): readonly Line[] {
  return files.flatMap((file) => {
    const diff = diffFile(file, owner);
    return diff === "" ? [] : [line(`${file.path}: ${STATES[file.state].text}, mode ${showMode(file)}`, "heading"), ...diffLines(diff), line("")];
  });
}

/** Whether someone else changed the file after the agent's last run. */
function isDrift({ path }: ComparedFile, changes: Comparison["changes"]): boolean {
  return changes.some((change) => change.kind === "write-file" && change.file.path === path && change.isDrift);
}

function showMode({ planned }: ComparedFile): string {
  return planned === undefined ? "    " : planned.mode.toString(8).padStart(4, "0");
}

function diffLines(diff: string): readonly Line[] {
  // As one text, since a secret may have a line break in it.
  return printable(redact(diff)).trimEnd().split("\n").map((text) => line(text, styleOf(text)));
}

const STYLES: readonly (readonly [start: string, style: Style])[] = [
  ["--- ", "heading"],
  ["+++ ", "heading"],
  ["@@ ", "hunk"],
  ["+", "added"],
  ["-", "removed"],
];

function styleOf(text: string): Style {
  return STYLES.find(([start]) => text.startsWith(start))?.[1] ?? "plain";
}
