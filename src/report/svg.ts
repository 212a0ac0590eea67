/** A document as a value; it becomes text once. */
export type SvgElement = {
  readonly name: string;
  readonly attributes: Readonly<Record<string, string | number>>;
  readonly children: readonly SvgNode[];
};

export type SvgNode = SvgElement | string;

export function element(name: string, attributes: SvgElement["attributes"] = {}, ...children: readonly SvgNode[]): SvgElement {
  return { name, attributes, children };
}

/** The whole file, with a final line break. No text in it can be anything but text. */
export function printSvg(root: SvgElement): string {
  return `<?xml version="1.0" encoding="UTF-8"?>\n${print(root, "")}`;
}

/** Elements whose white space shows. */
const INLINE: readonly string[] = ["text", "title", "desc"];

function print({ name, attributes, children }: SvgElement, indent: string): string {
  const start = `${indent}<${[name, ...Object.entries(attributes).map(([key, value]) => `${key}="${printValue(value)}"`)].join(" ")}`;
  if (children.length === 0) return `${start}/>\n`;
  if (INLINE.includes(name)) return `${start}>${children.map(printInline).join("")}</${name}>\n`;
  return `${start}>\n${children.map((child) => (typeof child === "string" ? escapeText(child) : print(child, `${indent}  `))).join("")}${indent}</${name}>\n`;
}

function printInline(node: SvgNode): string {
  return typeof node === "string" ? escapeText(node) : print(node, "").trimEnd();
}

/** Tenths of a pixel are finer than what can be seen. */
function printValue(value: string | number): string {
  return typeof value === "number" ? String(Math.round(value * 10) / 10) : escapeText(value).replaceAll('"', "&quot;");
}

const ENTITIES: Readonly<Record<string, string>> = { "&": "&amp;", "<": "&lt;", ">": "&gt;" };

/** Without what XML 1.0 has no place for, and without what turns the direction of writing. */
function escapeText(text: string): string {
  return text
    .toWellFormed()
    .replaceAll(/[\p{Cc}\p{Bidi_Control}\ufffe\uffff]/gu, (character) => (character === "\n" || character === "\t" ? character : "\ufffd"))
    .replaceAll(/[&<>]/g, (character) => ENTITIES[character] ?? character);
}
