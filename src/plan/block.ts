const BEGIN = "# BEGIN eks-node-agent";
const END = "# END eks-node-agent";

/**
 * A file's text with the agent's block in it, in the place of the one that is there, else at the end. Without lines there is
 * none. What others wrote stays as it is, but that a last line gets its line break.
 */
export function withBlock(text: string, lines: readonly string[]): string {
  const { before, after } = splitAtBlock(text);
  const block = lines.length === 0 ? "" : [`${BEGIN}: replaced at each of its runs`, ...lines, END, ""].join("\n");
  const needsBreak = block !== "" && before !== "" && !before.endsWith("\n");
  return `${before}${needsBreak ? "\n" : ""}${block}${after}`;
}

/** Whether the text has a mark of the agent's. */
export function hasBlock(text: string): boolean {
  return text.split("\n").some((line) => isBegin(line) || isEnd(line));
}

/** What is before the first block and after it, with no other block in either. */
function splitAtBlock(text: string): { readonly before: string; readonly after: string } {
  const lines = text.split(/(?<=\n)/);
  const first = lines.findIndex((line) => isBegin(line) || isEnd(line));
  if (first === -1) return { before: text, after: "" };
  return { before: lines.slice(0, first).join(""), after: withoutBlocks(lines.slice(first)).join("") };
}

/** A mark without its other half is a block that somebody broke: only the mark goes, since what is beside it may be theirs. */
function withoutBlocks(lines: readonly string[]): readonly string[] {
  const [line, ...rest] = lines;
  if (line === undefined) return [];
  if (isEnd(line)) return withoutBlocks(rest);
  if (!isBegin(line)) return [line, ...withoutBlocks(rest)];
  const end = rest.findIndex((one) => isEnd(one) || isBegin(one));
  const isWhole = end !== -1 && isEnd(rest[end] ?? "");
  return withoutBlocks(isWhole ? rest.slice(end + 1) : rest);
}

function isBegin(line: string): boolean {
  return line.startsWith(BEGIN);
}

function isEnd(line: string): boolean {
  return line.trimEnd() === END;
}
