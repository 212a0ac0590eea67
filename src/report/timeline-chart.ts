import { showSpan } from "../lib/show-span.ts";
import type { LastRun } from "./last-run.ts";
import { element, type SvgElement } from "./svg.ts";
import { widthOf } from "./text-width.ts";
import { showTick, ticksOf } from "./time-axis.ts";
import { barLook, type Block, CHART, diamond, fittedLine, FONT, MARGIN, path, textAt, WIDTH } from "./timeline-layout.ts";
import type { Bar, Group, Mark, Row } from "./timeline-rows.ts";

const ROW = 21;
const BAR = 13;

/** The rows on their time axis, with every other phase as a band behind them, and the end of the run as a line. */
export function drawChart(run: LastRun, groups: readonly Group[], top: number): Block {
  const durationMs = Math.max(1, run.durationMs);
  const x = (ms: number): number => CHART.left + (Math.min(ms, durationMs) / durationMs) * (CHART.right - CHART.left);
  const rows = groups.reduce<Block>(
    (above, group) => {
      const block = drawGroup(group, above.bottom, x);
      return { elements: [...above.elements, ...block.elements], bottom: block.bottom };
    },
    { elements: [], bottom: top + 6 },
  );
  const { bottom } = rows;
  return { elements: [...drawBands(run, top, bottom, x), ...drawAxis(durationMs, top, bottom, x), ...rows.elements, ...drawEnd(run, top, bottom)], bottom };
}

/** From milliseconds to pixels. */
type Scale = (ms: number) => number;

function drawBands({ phases }: LastRun, top: number, bottom: number, x: Scale): readonly SvgElement[] {
  return phases
    .filter((_, index) => index % 2 === 1)
    .map(({ startMs, durationMs }) => element("rect", { class: "band", x: x(startMs), y: top, width: x(startMs + durationMs) - x(startMs), height: bottom - top }));
}

function drawAxis(durationMs: number, top: number, bottom: number, x: Scale): readonly SvgElement[] {
  return ticksOf(durationMs).flatMap((ms) => [
    element("path", { class: "grid", d: path([x(ms), top - 4], [x(ms), bottom]) }),
    textAt(showTick(ms), x(ms), top - 9, "muted middle"),
  ]);
}

function drawEnd({ result, durationMs }: LastRun, top: number, bottom: number): readonly SvgElement[] {
  const look = result.kind === "done" ? "done" : "failed";
  const word = result.kind === "stopped" ? result.signal : result.kind;
  return [
    element("path", { class: `end-${look}`, d: path([CHART.right, top - 4], [CHART.right, bottom + 4]) }),
    fittedLine(`${word} · ${showSpan(durationMs)}`, CHART.right, bottom + 17, `${look} strong middle`, WIDTH - MARGIN - CHART.right),
  ];
}

function drawGroup({ title, rows }: Group, top: number, x: Scale): Block {
  const first = top + ROW;
  const heading = textAt(title, MARGIN, first - 6, "strong");
  return { elements: [heading, ...rows.flatMap((row, index) => drawRow(row, first + index * ROW, x))], bottom: first + rows.length * ROW + 8 };
}

const INDENT = 8;
const PREFIX_WIDTH = 62;
/** Where outcomes end; durations end at the margin. */
const OUTCOME_RIGHT = 1078;
const GAP = 10;

const LOOKS: Readonly<Record<Row["look"], { readonly label: string; readonly outcome: string }>> = {
  plain: { label: "", outcome: "right" },
  failed: { label: "", outcome: "failed right" },
  faint: { label: "muted", outcome: "muted right" },
};

function drawRow({ prefix, label, bars, marks, outcome, took, look }: Row, top: number, x: Scale): readonly SvgElement[] {
  const baseline = top + ROW - 6;
  const left = MARGIN + INDENT;
  const labelLeft = left + (prefix === "" ? 0 : PREFIX_WIDTH);
  const looks = LOOKS[look];
  const texts = [
    fittedLine(prefix, left, baseline, "muted", PREFIX_WIDTH - INDENT),
    fittedLine(label, labelLeft, baseline, looks.label, CHART.left - labelLeft - GAP),
    fittedLine(outcome, OUTCOME_RIGHT, baseline, looks.outcome, OUTCOME_RIGHT - CHART.right - GAP),
    fittedLine(took, WIDTH - MARGIN, baseline, looks.outcome, WIDTH - MARGIN - OUTCOME_RIGHT - GAP),
  ];
  return [
    element("path", { class: "guide", d: path([MARGIN, top + ROW], [WIDTH - MARGIN, top + ROW]) }),
    ...texts.filter(({ children }) => children[0] !== ""),
    ...bars.flatMap((bar) => drawBar(bar, top + (ROW - BAR) / 2, x)),
    ...marks.map((mark) => drawMark(mark, top + ROW / 2, x)),
  ];
}

/** Thinner bars cannot be seen. */
const LEAST_WIDTH = 2;
const SMALL_FONT = FONT - 2;

function drawBar({ kind, startMs, durationMs, label, about }: Bar, y: number, x: Scale): readonly SvgElement[] {
  const left = x(startMs);
  const width = Math.max(LEAST_WIDTH, x(startMs + durationMs) - left);
  const bar = element("rect", { ...barLook(kind), x: left, y, width, height: BAR, rx: 2 }, element("title", {}, about));
  if (label === "" || widthOf(label, SMALL_FONT) + 2 > width) return [bar];
  return [bar, textAt(label, left + width / 2, y + BAR - 3, kind === "wait" ? "small middle halo" : "small middle inside")];
}

function drawMark({ atMs, outcome, about }: Mark, y: number, x: Scale): SvgElement {
  return element("path", { class: `mark ${outcome}`, d: diamond(x(atMs), y) }, element("title", {}, about));
}
