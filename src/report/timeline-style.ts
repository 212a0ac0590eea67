type Palette = Readonly<Record<string, string>>;

const LIGHT: Palette = {
  paper: "#ffffff",
  ink: "#1f2328",
  muted: "#59636e",
  grid: "#d8dee4",
  guide: "#eff2f5",
  phase: "#8250df",
  start: "#8c959f",
  answered: "#0969da",
  refused: "#cf222e",
  wait: "#9a6700",
  ground: "#fff8c5",
  command: "#1b7c83",
  step: "#1a7f37",
  inside: "#ffffff",
};

const DARK: Palette = {
  paper: "#0d1117",
  ink: "#e6edf3",
  muted: "#9198a1",
  grid: "#30363d",
  guide: "#1c2128",
  phase: "#ab7df8",
  start: "#656c76",
  answered: "#4493f8",
  refused: "#f85149",
  wait: "#d29922",
  ground: "#2e2a1f",
  command: "#39c5cf",
  step: "#3fb950",
  inside: "#0d1117",
};

/** Classes and what they look like; no custom properties, which not every viewer knows. */
const RULES: readonly (readonly [selector: string, property: "fill" | "stroke", colour: keyof typeof LIGHT])[] = [
  [".paper", "fill", "paper"],
  ["text", "fill", "ink"],
  [".muted", "fill", "muted"],
  [".grid", "stroke", "grid"],
  [".guide", "stroke", "guide"],
  [".band", "fill", "phase"],
  [".phase", "fill", "phase"],
  [".start", "fill", "start"],
  [".answered", "fill", "answered"],
  [".refused", "fill", "refused"],
  [".wait-ground", "fill", "ground"],
  [".wait-line", "stroke", "wait"],
  [".wait-edge", "stroke", "wait"],
  [".command", "fill", "command"],
  [".step", "fill", "step"],
  [".done", "fill", "step"],
  [".failed", "fill", "refused"],
  [".mark", "stroke", "paper"],
  [".inside", "fill", "inside"],
  [".halo", "stroke", "ground"],
  [".end-done", "stroke", "step"],
  [".end-failed", "stroke", "refused"],
];

/** In print it is light, whatever the screen is. */
export const STYLE = `text { font: 12px Helvetica, Arial, "Liberation Sans", sans-serif; }
.heading { font-size: 20px; font-weight: bold; }
.strong { font-weight: bold; }
.small { font-size: 10px; }
.right { text-anchor: end; }
.middle { text-anchor: middle; }
.lines { font-family: ui-monospace, Menlo, Consolas, "Liberation Mono", monospace; font-size: 11px; }
.band { opacity: 0.06; }
.step { opacity: 0.35; }
.grid, .guide { fill: none; }
.wait-line { stroke-width: 1.5; }
.end-done, .end-failed { stroke-width: 1.5; }
.halo { stroke-width: 4; stroke-linejoin: round; paint-order: stroke; }
${rules(LIGHT)}
@media screen and (prefers-color-scheme: dark) {
${rules(DARK)}
}
`;

function rules(palette: Palette): string {
  return RULES.map(([selector, property, colour]) => `${selector} { ${property}: ${palette[colour]}; }`).join("\n");
}
