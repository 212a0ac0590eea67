import { isJsonObject, type JsonObject, type JsonValue } from "./json.ts";

/**
 * A document as block YAML, with the keys in the order of the value. Text of several lines is written as it is, where that is
 * exact; other strings that YAML could take for anything else are written as JSON strings, which YAML reads alike. (The parser's
 * library is not loaded for the sake of a page.)
 */
export function printYaml(value: JsonObject): string {
  return `${lines(value).join("\n")}\n`;
}

function lines(value: JsonValue): readonly string[] {
  if (Array.isArray(value) && value.length > 0) return value.flatMap(listItem);
  if (isJsonObject(value) && Object.keys(value).length > 0) return Object.entries(value).flatMap(([key, child]) => mapEntry(key, child));
  return isBlock(value) ? ["|", ...value.slice(0, -1).split("\n")] : [scalar(value)];
}

/** Whole lines, of which the first is not indented, and without characters that YAML would change or programs hide. */
function isBlock(value: JsonValue): value is string {
  return typeof value === "string" && BLOCK.test(value) && !CHANGED.test(value.replace(/[\n\t]/g, ""));
}

const BLOCK = /^\S[\s\S]*\S\n$/;
const CHANGED = /[\p{C}\u2028\u2029]/u;

function listItem(item: JsonValue): readonly string[] {
  const [first = "", ...rest] = lines(item);
  return [`- ${first}`, ...rest.map(indent)];
}

function mapEntry(key: string, child: JsonValue): readonly string[] {
  const body = lines(child);
  const isInline = !isNested(child);
  if (isBlock(child)) return [`${scalar(key)}: |`, ...body.slice(1).map(indent)];
  return isInline ? [`${scalar(key)}: ${body[0] ?? ""}`] : [`${scalar(key)}:`, ...(Array.isArray(child) ? body : body.map(indent))];
}

function isNested(value: JsonValue): boolean {
  return Array.isArray(value) ? value.length > 0 : isJsonObject(value) && Object.keys(value).length > 0;
}

function indent(line: string): string {
  return line === "" ? "" : `  ${line}`;
}

// A colon inside is only text to YAML as long as no space follows it.
const PLAIN = /^(--)?[A-Za-z/]([A-Za-z0-9_./:-]*[A-Za-z0-9])?$/;
const NOT_A_STRING = /^(true|false|null|yes|no|on|off|y|n)$/i;

function scalar(value: JsonValue): string {
  return typeof value === "string" && PLAIN.test(value) && !NOT_A_STRING.test(value) ? value : JSON.stringify(value);
}
