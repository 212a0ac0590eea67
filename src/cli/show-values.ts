import { isJsonObject, type JsonValue } from "../lib/json.ts";
import type { NamedValue } from "../resolve/value-table.ts";
import { type Line, line } from "./colour.ts";
import { redact } from "./redact.ts";
import { COLUMNS, wrap } from "./wrap.ts";

/**
 * The table of `--explain`: name, value and source of everything that was decided, aligned within each group. What is too
 * long for its column keeps its line, and the rest of the row goes on below, where its column is.
 */
export function showValues(values: readonly NamedValue[]): readonly Line[] {
  return GROUPS.flatMap(({ title, prefix }) => {
    const rows = values.filter(({ name }) => groupOf(name) === prefix).map((row) => cellsOf(row, prefix));
    return rows.length === 0 ? [] : [line(`  ${title}`, "heading"), ...alignRows(rows).map((text) => line(text))];
  });
}

type Row = readonly [name: string, value: string, source: string];

/** By what their names begin with; the last takes all others. */
const GROUPS = [
  { title: "node", prefix: "" },
  { title: "kubelet configuration", prefix: "kubelet config " },
  { title: "kubelet flags", prefix: "kubelet flag " },
] as const;

function groupOf(name: string): string {
  return GROUPS.find(({ prefix }) => prefix !== "" && name.startsWith(prefix))?.prefix ?? "";
}

function cellsOf({ name, value, source }: NamedValue, prefix: string): Row {
  const own = name.slice(prefix.length);
  const text = showValue(value);
  // The value of a flag is all that kubelet is given: --name=value.
  return [own, redact(text.startsWith(`${own}=`) ? text.slice(own.length + 1) : text === own ? "" : text), redact(source)];
}

function showValue(value: JsonValue): string {
  if (typeof value === "string") return value;
  if (isFlatList(value)) return value.join(", ");
  return JSON.stringify(value);
}

function isFlatList(value: JsonValue): value is readonly (string | number | boolean)[] {
  return Array.isArray(value) && value.length > 0 && value.every((item) => item !== null && !Array.isArray(item) && !isJsonObject(item));
}

const INDENT = 4;
const GAP = 2;
const WIDEST_NAME = 33;
const WIDEST_VALUE = 20;

function alignRows(rows: readonly Row[]): readonly string[] {
  const names = Math.min(WIDEST_NAME, Math.max(...rows.map(([name]) => name.length)));
  const atValue = INDENT + names + GAP;
  const values = Math.min(COLUMNS - atValue - GAP - WIDEST_VALUE, Math.max(...rows.map(([, value]) => value.length)));
  const starts = [INDENT, atValue, atValue + Math.max(values, WIDEST_VALUE) + GAP] as const;
  return rows.flatMap((row) => alignRow(row, starts));
}

function alignRow(cells: Row, starts: readonly [number, number, number]): readonly string[] {
  const ends = [starts[1] - GAP, starts[2] - GAP, COLUMNS];
  const wrapped = cells.map((cell, column) => wrap(cell, "", "", (ends[column] ?? 0) - (starts[column] ?? 0)));
  const height = Math.max(...wrapped.map((cell) => cell.length));
  return Array.from({ length: height }, (_, index) => placeCells(wrapped.map((cell) => cell[index] ?? ""), starts)).flat();
}

/** One line, or more where a cell reaches into the next column. */
function placeCells(cells: readonly string[], starts: readonly number[]): readonly string[] {
  const lines = [""];
  for (const [column, cell] of cells.entries()) {
    const start = starts[column] ?? 0;
    if (cell === "") continue;
    if ((lines.at(-1) ?? "").length > start - (column === 0 ? 0 : GAP)) lines.push("");
    lines.push(`${(lines.pop() ?? "").padEnd(start)}${cell}`);
  }
  return lines;
}
