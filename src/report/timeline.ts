import { showSpan } from "../lib/show-span.ts";
import type { LastRun } from "./last-run.ts";
import { element, printSvg, type SvgElement } from "./svg.ts";
import { fitText, widthOf, wrapText } from "./text-width.ts";
import { drawChart } from "./timeline-chart.ts";
import { barLook, type Block, diamond, fittedLine, FONT, HATCHING, MARGIN, textAt, WIDTH } from "./timeline-layout.ts";
import { type BarKind, type Group, groupsOf } from "./timeline-rows.ts";
import { STYLE } from "./timeline-style.ts";

/** A drawing of the run on a time axis, as an SVG file for a browser or a printer. It needs no other file. */
export function showTimeline(run: LastRun): string {
  const groups = groupsOf(run);
  const header = drawHeader(run);
  const failure = drawFailure(run, header.bottom);
  const chart = drawChart(run, groups, failure.bottom + 44);
  const legend = drawLegend(groups, chart.bottom + 17);
  const notes = drawNotes(run, legend.bottom);
  const height = Math.ceil(notes.bottom) + MARGIN;
  return printSvg(
    element(
      "svg",
      { xmlns: "http://www.w3.org/2000/svg", viewBox: `0 0 ${WIDTH} ${height}`, width: WIDTH, height, role: "img", "aria-labelledby": "title desc" },
      element("title", { id: "title" }, headline(run)),
      element("desc", { id: "desc" }, description(run)),
      element("style", {}, STYLE),
      element("defs", {}, HATCHING),
      element("rect", { class: "paper", width: "100%", height: "100%" }),
      ...[header, failure, chart, legend, notes].flatMap(({ elements }) => elements),
    ),
  );
}

const LINE = 17;

function drawHeader(run: LastRun): Block {
  const about = `began ${run.startedAt.slice(0, 19).replace("T", " ")} UTC · eks-node-agent ${run.version}`;
  const lines = [...describeNode(run), about];
  const first = 68;
  const title = textAt(fitText(headline(run), WIDTH - 2 * MARGIN, 20), MARGIN, 44, "heading");
  return {
    elements: [title, ...lines.map((line, index) => fittedLine(line, MARGIN, first + index * LINE, "muted", WIDTH - 2 * MARGIN))],
    bottom: first + (lines.length - 1) * LINE,
  };
}

function describeNode({ node }: LastRun): readonly string[] {
  const { cluster, instanceId, instanceType, zone, kubeletVersion } = node;
  const parts = [cluster && `cluster ${cluster}`, instanceId, instanceType, zone, kubeletVersion && `kubelet ${kubeletVersion}`].filter(Boolean);
  return parts.length === 0 ? [] : [parts.join(" · ")];
}

function headline({ result, durationMs }: LastRun): string {
  const took = showSpan(durationMs);
  switch (result.kind) {
    case "done":
      return `The bootstrap was done in ${took}`;
    case "failed":
      return `The bootstrap failed after ${took}`;
    case "stopped":
      return `The bootstrap was ended by ${result.signal} after ${took}`;
  }
}

/** For those who hear the drawing. */
function description({ phases, requests, retries, commands, changes }: LastRun): string {
  const spans = phases.map(({ name, durationMs, outcome }) => `${name} ${outcome === "failed" ? "failed after " : ""}${showSpan(durationMs)}`);
  const counts = `${requests.length} requests, ${retries.length} waits before another try, ${commands.length} commands, ${changes.length} changes`;
  return `A timeline of one run of eks-node-agent. Phases: ${spans.length === 0 ? "none" : spans.join(", ")}. ${counts}.`;
}

/** The journal has the others. */
const MOST_LINES = 24;

/** Why the run failed, and what to do about it. */
function drawFailure({ result }: LastRun, top: number): Block {
  if (result.kind !== "failed") return { elements: [], bottom: top };
  const { message, lines, remedy, code, exitStatus } = result;
  const left = MARGIN + 16;
  const width = WIDTH - MARGIN - left;
  const texts: readonly (readonly [text: string, look: string])[] = [
    ...wrapText(message, width, FONT).map((line) => [line, "strong"] as const),
    // Letters of equal width are wider.
    ...lines.slice(0, MOST_LINES).map((line) => [fitText(line, width, FONT + 1), "lines"] as const),
    ...wrapText(`Remedy: ${remedy}`, width, FONT).map((line) => [line, ""] as const),
    [`${code}, exit status ${exitStatus}`, "muted"],
  ];
  const height = texts.length * LINE + 6;
  const bar = element("rect", { class: "refused", x: MARGIN, y: top + 16, width: 4, height, rx: 2 });
  return { elements: [bar, ...texts.map(([text, look], index) => textAt(text, left, top + 31 + index * LINE, look))], bottom: top + 16 + height };
}

const LEGEND: readonly (readonly [kind: BarKind, meaning: string])[] = [
  ["answered", "answered"],
  ["refused", "refused, or no answer"],
  ["wait", "wait before the next try"],
  ["command", "command"],
  ["step", "change"],
];

/** What the bars mean, of those that there are. */
function drawLegend(groups: readonly Group[], baseline: number): Block {
  const kinds = new Set(groups.flatMap(({ rows }) => rows.flatMap(({ bars }) => bars.map(({ kind }) => kind))));
  const items = LEGEND.filter(([kind]) => kinds.has(kind));
  const lefts = items.map((_, index) => items.slice(0, index).reduce((left, [, meaning]) => left + widthOf(meaning, FONT) + 50, MARGIN));
  return { elements: items.flatMap(([kind, meaning], index) => drawLegendItem(kind, meaning, lefts[index] ?? MARGIN, baseline)), bottom: baseline + 6 };
}

function drawLegendItem(kind: BarKind, meaning: string, left: number, baseline: number): readonly SvgElement[] {
  return [
    element("rect", { ...barLook(kind), x: left, y: baseline - 10, width: 18, height: 11, rx: 2 }),
    ...(kind === "step" ? [element("path", { class: "mark done", d: diamond(left + 18, baseline - 4.5) })] : []),
    textAt(meaning, left + 28, baseline, "muted"),
  ];
}

/** Fallbacks that were taken, and what kubelet would have to say. */
function drawNotes({ notes, findings }: LastRun, top: number): Block {
  const texts = [...notes.map(({ code, message }) => `${code}: ${message}`), ...findings.map(({ code, message, source }) => `${code}: ${message} (${source})`)];
  if (texts.length === 0) return { elements: [], bottom: top };
  const left = MARGIN + 8;
  const first = top + 47;
  const lines = texts.flatMap((text) => wrapText(text, WIDTH - MARGIN - left - 12, FONT).map((line, index) => ({ line, x: left + (index === 0 ? 0 : 12) })));
  return {
    elements: [textAt("Notes", MARGIN, top + 26, "strong"), ...lines.map(({ line, x }, index) => textAt(line, x, first + index * LINE, ""))],
    bottom: first + (lines.length - 1) * LINE,
  };
}
