/** A fenced block of a page. */
export type Block = {
  /** "sh", "yaml"; "" if none is given. */
  readonly language: string;
  /** Ends in a line break. */
  readonly text: string;
  /** Of its first line of text, from 1. */
  readonly line: number;
};

/** The fenced blocks of a Markdown text, those inside lists included, without their indentation. */
export function blocksOf(markdown: string): readonly Block[] {
  const blocks: Block[] = [];
  let open: { indent: string; language: string; line: number; lines: string[] } | undefined;
  for (const [index, line] of markdown.split("\n").entries()) {
    const [, indent = "", fence, language = ""] = /^(\s*)(`{3,})\s*(\S*)\s*$/.exec(line) ?? [];
    if (fence === undefined) open?.lines.push(line.startsWith(open.indent) ? line.slice(open.indent.length) : line);
    else if (open === undefined) open = { indent, language, line: index + 2, lines: [] };
    else {
      blocks.push({ language: open.language, line: open.line, text: open.lines.map((each) => `${each}\n`).join("") });
      open = undefined;
    }
  }
  if (open !== undefined) throw new Error(`the block of line ${open.line} has no end`);
  return blocks;
}
