import { isJsonObject, type JsonObject, type JsonValue } from "./json.ts";

/**
 * A document as block YAML, with the keys in the order of the value. Strings that YAML could take for anything else are
 * written as JSON strings, which YAML reads alike. (The parser's library is not loaded for the sake of a page.)
 */
export function printYaml(value: JsonObject): string {
  return `${lines(value).join("\n")}\n`;
}

function lines(value: JsonValue): readonly string[] {
  if (Array.isArray(value) && value.length > 0) return value.flatMap(listItem);
  if (isJsonObject(value) && Object.keys(value).length > 0) return Object.entries(value).flatMap(([key, child]) => mapEntry(key, child));
  return [scalar(value)];
}

function listItem(item: JsonValue): readonly string[] {
  const [first = "", ...rest] = lines(item);
  return [`- ${first}`, ...rest.map(indent)];
}

function mapEntry(key: string, child: JsonValue): readonly string[] {
  const body = lines(child);
  const isInline = !isNested(child);
  return isInline ? [`${scalar(key)}: ${body[0] ?? ""}`] : [`${scalar(key)}:`, ...(Array.isArray(child) ? body : body.map(indent))];
}

function isNested(value: JsonValue): boolean {
  return Array.isArray(value) ? value.length > 0 : isJsonObject(value) && Object.keys(value).length > 0;
}

function indent(line: string): string {
  return `  ${line}`;
}

// A colon inside is only text to YAML as long as no space follows it.
const PLAIN = /^(--)?[A-Za-z/]([A-Za-z0-9_./:-]*[A-Za-z0-9])?$/;
const NOT_A_STRING = /^(true|false|null|yes|no|on|off|y|n)$/i;

function scalar(value: JsonValue): string {
  return typeof value === "string" && PLAIN.test(value) && !NOT_A_STRING.test(value) ? value : JSON.stringify(value);
}
