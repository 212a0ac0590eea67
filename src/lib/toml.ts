import { parse, stringify, TomlError } from "smol-toml";
import { isJsonObject, type JsonObject, type JsonValue } from "./json.ts";

/** A fault is a sentence without the text itself, which may hold secrets. Lines count from 1. */
export type Toml = { readonly value: JsonObject } | { readonly fault: string; readonly line?: number };

const LONGEST = 1024 * 1024;
const DEEPEST = 100;
const TOO_DEEP = `The text is nested more than ${DEEPEST} levels deep`;

/** TOML as JSON has its values. Texts over 1 MiB or 100 levels, dates, infinities and NaN are faults. */
export function parseToml(text: string): Toml {
  if (text.length > LONGEST) return { fault: `The text is longer than ${LONGEST} characters.` };
  try {
    return { value: objectOf(parse(text, { maxDepth: DEEPEST }), 0) };
  } catch (error) {
    if (error instanceof TomlLimit) return { fault: `${error.message}.` };
    if (error instanceof TomlError) return { fault: sentenceOf(error), line: error.line };
    throw error;
  }
}

/** TOML with the keys in the order of the value, so that the same value gives the same bytes. */
export function printToml(value: JsonObject): string {
  return stringify(value);
}

class TomlLimit extends Error {}

function objectOf(table: object, depth: number): JsonObject {
  if (depth > DEEPEST) throw new TomlLimit(TOO_DEEP);
  return Object.fromEntries(Object.entries(table).map(([key, value]) => [key, valueOf(value, depth + 1)]));
}

function valueOf(value: unknown, depth: number): JsonValue {
  if (Array.isArray(value)) return value.map((item) => valueOf(item, depth + 1));
  if (value instanceof Date) throw new TomlLimit("The text holds a date or time without quotes");
  if (typeof value === "number" && !Number.isFinite(value)) throw new TomlLimit(`JSON has no number ${value}`);
  if (typeof value === "string" || typeof value === "boolean" || typeof value === "number") return value;
  return isJsonObject(value) ? objectOf(value, depth) : null;
}

/** The library's message shows the text on further lines. */
function sentenceOf({ message }: TomlError): string {
  const [first = ""] = message.split("\n");
  if (first.includes("nested")) return `${TOO_DEEP}.`;
  const reason = first.replace(/^Invalid TOML document:\s*/, "").replace(/[.:]?$/, "");
  return `${reason.charAt(0).toUpperCase()}${reason.slice(1)}.`;
}
