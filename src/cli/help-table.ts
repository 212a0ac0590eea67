const WIDTH = 80;
const INDENT = 2;
// Wide enough for most options with their placeholders.
const LEFT = 30;

/** Two columns in lines of at most 80; a left cell that is too long stands on a line of its own. */
export function showTable(rows: readonly (readonly [string, string])[]): string[] {
  const widest = Math.max(...rows.map(([left]) => left.length));
  const column = INDENT + Math.min(LEFT, widest) + 2;
  return rows.flatMap(([left, right]) => showRow(left, wrap(right, WIDTH - column), column));
}

function showRow(left: string, lines: readonly string[], column: number): string[] {
  const start = " ".repeat(INDENT) + left;
  const right = lines.map((line) => " ".repeat(column) + line);
  if (start.length + 2 > column) return [start, ...right];
  return [start.padEnd(column) + (lines[0] ?? ""), ...right.slice(1)];
}

/** Lines broken at spaces so that none is longer than `width`, unless one word is. */
export function wrap(text: string, width: number): string[] {
  const lines: string[] = [];
  for (const word of text.split(" ")) {
    const line = lines.at(-1);
    if (line !== undefined && line.length + 1 + word.length <= width) lines[lines.length - 1] = `${line} ${word}`;
    else lines.push(word);
  }
  return lines;
}
