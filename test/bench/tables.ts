import type { AwsCliComparison } from "./aws-cli.ts";
import type { Counts } from "./counts.ts";
import type { Measurement } from "./measure.ts";
import type { Report } from "./report.ts";
import { NOTHING } from "./scenarios.ts";
import type { Sizes } from "./sizes.ts";

/** The first column is of words, the others of figures. */
export type Table = { readonly headings: readonly string[]; readonly rows: readonly (readonly string[])[] };

export function asMarkdown({ headings, rows }: Table): string {
  const line = headings.map((_, column) => (column === 0 ? "---" : "--:"));
  return [headings, line, ...rows].map((cells) => `| ${cells.join(" | ")} |\n`).join("");
}

export function asText({ headings, rows }: Table): string {
  const widths = headings.map((heading) => Math.max(heading.length + 2, 14));
  const line = (cells: readonly string[]): string => `${cells.map((cell, column) => (column === 0 ? cell.padEnd(36) : cell.padStart(widths[column] ?? 0))).join("")}\n`;
  return [headings, ...rows].map(line).join("");
}

export function timesTable({ empty, results }: Report): Table {
  const row = (one: Measurement): readonly string[] => [...figuresOf(one), (one.cpuMs / empty.cpuMs).toFixed(1)];
  return {
    headings: ["scenario", "IMDS/AWS ms", "wall ms", "CPU ms", "peak MiB", "CPU/empty", "requests", "depth", "at once"],
    rows: [
      [NOTHING, "", ...row(empty), "", "", ""],
      ...results.map((result) => [result.name, result.latency === undefined ? "" : `${result.latency.imdsMs}/${result.latency.awsMs}`, ...row(result), String(result.requests), String(result.depth), String(result.inFlight)]),
    ],
  };
}

export function countsTable(counts: readonly Counts[]): Table {
  const figure = (value: number | undefined): string => (value === undefined ? "" : String(value));
  return {
    headings: ["scenario", "system calls", "million instructions"],
    rows: counts.map(({ name, systemCalls, instructions }) => [name, figure(systemCalls), figure(instructions && Math.round(instructions / 1e6))]),
  };
}

export function awsCliTable({ rows }: AwsCliComparison): Table {
  return { headings: ["command", "wall ms", "CPU ms", "peak MiB"], rows: rows.map((row) => [`\`${row.name}\``, ...figuresOf(row)]) };
}

export function sizesTable({ executable, node, baseNode, code, caches, addons, rpm }: Sizes): Table {
  const parts: readonly (readonly [string, number | undefined])[] = [
    ["executable", executable],
    ["of it Node.js", baseNode],
    ["of it V8's code for the agent", caches],
    ["of it JavaScript", code],
    ["of it compiled addons", addons],
    ["RPM", rpm],
    ["for comparison: Node.js as it comes", node],
  ];
  return { headings: ["", "bytes"], rows: parts.flatMap(([name, bytes]) => (bytes === undefined ? [] : [[name, withCommas(bytes)]])) };
}

function figuresOf({ wallMs, cpuMs, peakMiB }: Measurement): readonly string[] {
  return [wallMs.toFixed(0), cpuMs.toFixed(0), peakMiB.toFixed(0)];
}

function withCommas(count: number): string {
  return String(count).replaceAll(/\B(?=(\d{3})+$)/g, ",");
}
