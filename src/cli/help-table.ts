import { COLUMNS, wrap } from "./wrap.ts";

const INDENT = 2;
// Wide enough for most options with their placeholders.
const LEFT = 30;

/** Two columns in lines of at most COLUMNS; a left cell that is too long stands on a line of its own. */
export function showTable(rows: readonly (readonly [string, string])[]): string[] {
  const widest = Math.max(...rows.map(([left]) => left.length));
  const column = INDENT + Math.min(LEFT, widest) + 2;
  return rows.flatMap(([left, right]) => showRow(left, wrap(right, "", "", COLUMNS - column), column));
}

function showRow(left: string, lines: readonly string[], column: number): string[] {
  const start = " ".repeat(INDENT) + left;
  const right = lines.map((line) => " ".repeat(column) + line);
  if (start.length + 2 > column) return [start, ...right];
  return [start.padEnd(column) + (lines[0] ?? ""), ...right.slice(1)];
}
