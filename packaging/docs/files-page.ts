import { READ, WRITTEN, type FileRow } from "./file-table.ts";
import { GENERATED_NOTE, markdownTable } from "./markdown.ts";

/** docs/files.md */
export function filesPage(): string {
  return `${GENERATED_NOTE}

# Files

## Written

All belong to root:root; directories are 0755. A file is replaced as a whole: at any instant it is the old one or the new one, also
after a power cut. What the agent no longer plans it removes, and nothing else ever. A file that somebody else has changed since is
written again, and noted as drift. JSON is compared by value: another layout is no change.

A unit is restarted when a file that it reads, or the version of its program, is not the one that the agent last started it with.

${markdownTable(["path", "content", "comes from", "mode", "read by"], WRITTEN.map(writtenRow))}

The units are enabled, so that the node comes back after a reboot without the agent.

## Read

Besides what the options name:

${markdownTable(["path", "what for"], READ.map(([path, what]) => [`\`${path}\``, what]))}

\`--root DIR\` looks for all of these, and writes, below DIR.
`;
}

function writtenRow({ path, content, when, from, mode, readBy }: FileRow): readonly string[] {
  return [`\`${path}\``, when === undefined ? content : `${content} (${when})`, from, `0${mode.toString(8)}`, readBy];
}
