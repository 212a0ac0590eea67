import type { BarKind } from "./timeline-rows.ts";
import { element, type SvgElement } from "./svg.ts";
import { fitText } from "./text-width.ts";

/** All lengths are pixels. The width is the same for every run. */
export const WIDTH = 1200;
export const MARGIN = 24;
/** Where the time begins and ends, from left to right. */
export const CHART = { left: 348, right: 970 } as const;
export const FONT = 12;

/** Elements, and the y below which there are none. */
export type Block = { readonly elements: readonly SvgElement[]; readonly bottom: number };

/** A text that is shortened to `width`. */
export function fittedLine(text: string, x: number, y: number, look: string, width: number): SvgElement {
  return textAt(fitText(text, width, FONT), x, y, look);
}

/** @param look classes; "" for none */
export function textAt(text: string, x: number, y: number, look: string): SvgElement {
  return element("text", { ...(look === "" ? {} : { class: look }), x, y }, text);
}

/** The pattern is defined once, by the document. */
export function barLook(kind: BarKind): SvgElement["attributes"] {
  return kind === "wait" ? { class: "wait-edge", fill: "url(#hatching)" } : { class: kind };
}

export const HATCHING = element(
  "pattern",
  { id: "hatching", width: 5, height: 5, patternUnits: "userSpaceOnUse", patternTransform: "rotate(45)" },
  element("rect", { class: "wait-ground", width: 5, height: 5 }),
  element("line", { class: "wait-line", x1: 0, y1: 0, x2: 0, y2: 5 }),
);

export function diamond(x: number, y: number): string {
  return `${path([x, y - 5], [x + 5, y], [x, y + 5], [x - 5, y])} Z`;
}

export function path(...points: readonly (readonly [x: number, y: number])[]): string {
  return points.map(([x, y], index) => `${index === 0 ? "M" : "L"} ${Math.round(x * 10) / 10} ${Math.round(y * 10) / 10}`).join(" ");
}
