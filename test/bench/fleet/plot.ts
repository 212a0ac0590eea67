import type { Result } from "./experiments.ts";

const [LEFT, TOP, WIDTH, HEIGHT] = [60, 60, 720, 320];
const SHOWN_S = 700;
const COLOURS = ["#1a7f37", "#cf222e", "#0969da"];

/** Nodes of one fleet that have joined over time, a line for each program, and below them all what the limit allows, as SVG. */
export function plotJoined(results: readonly Result[]): string {
  const nodes = results[0]?.fleet.nodes ?? 0;
  const title = `${nodes} nodes boot within 10 seconds: how many have what they need to join`;
  return `<?xml version="1.0" encoding="UTF-8"?>
<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 960 440" width="960" height="440" role="img" aria-labelledby="title">
  <title id="title">${title}</title>
  <style>
text { font: 12px Helvetica, Arial, "Liberation Sans", sans-serif; fill: #1f2328; }
.heading { font-size: 16px; font-weight: bold; }
.right { text-anchor: end; }
.middle { text-anchor: middle; }
.grid { stroke: #d8dee4; }
.line { fill: none; stroke-width: 2; }
.limit { fill: none; stroke: #8c959f; stroke-width: 1.5; stroke-dasharray: 4 4; }
  </style>
  <rect width="960" height="440" fill="#ffffff"/>
  <text class="heading" x="${LEFT}" y="32">${title}</text>
${[...grid(), limitLine(results[0]), ...results.map(programLine)].map((line) => `  ${line}\n`).join("")}</svg>
`;
}

function grid(): readonly string[] {
  const shares = [0, 0.25, 0.5, 0.75, 1].map((share) => {
    const y = yOf(share);
    return `<path class="grid" d="M${LEFT} ${y}h${WIDTH}"/><text class="right" x="${LEFT - 8}" y="${y + 4}">${share * 100} %</text>`;
  });
  const times = [0, 100, 200, 300, 400, 500, 600, 700].map((s) => `<text class="middle" x="${xOf(s)}" y="${TOP + HEIGHT + 20}">${s} s</text>`);
  return [...shares, ...times, `<text class="middle" x="${LEFT + WIDTH / 2}" y="${TOP + HEIGHT + 42}">time since a node's boot</text>`];
}

/** No program can be above it by more than the time that the fleet takes to boot. */
function limitLine(result: Result | undefined): string {
  if (result === undefined) return "";
  const { nodes, ec2 } = result.fleet;
  const fullAt = (nodes - ec2.burst) / ec2.perSecond;
  return `<path class="limit" d="M${xOf(0)} ${yOf(ec2.burst / nodes)}L${xOf(fullAt)} ${yOf(1)}"/><text x="${LEFT + WIDTH + 10}" y="${TOP + 120}">dashed: EC2's limit</text>`;
}

function programLine({ fleet, outcome }: Result, index: number): string {
  const colour = COLOURS[index % COLOURS.length] ?? "";
  const seconds = Array.from({ length: SHOWN_S / 5 + 1 }, (_, step) => step * 5);
  const points = seconds.map((s) => `${xOf(s)},${yOf(outcome.joinMs.filter((ms) => ms <= s * 1_000).length / fleet.nodes)}`);
  const label = `<text x="${LEFT + WIDTH + 10}" y="${TOP + 20 + index * 24}" style="fill: ${colour}">${fleet.program.name}</text>`;
  return `<polyline class="line" stroke="${colour}" points="${points.join(" ")}"/>${label}`;
}

function xOf(s: number): number {
  return Math.round(LEFT + (s / SHOWN_S) * WIDTH);
}

function yOf(share: number): number {
  return Math.round((TOP + (1 - share) * HEIGHT) * 10) / 10;
}
