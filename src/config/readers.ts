import { isJsonObject, type JsonObject, type JsonValue } from "../lib/json.ts";
import { type Sourced, sourced } from "../lib/sourced.ts";
import type { Place } from "./place.ts";
import { quote, type Parser } from "./setting-values.ts";

/** What a value, which is never null, says. Undefined when it says nothing, or has been refused. */
export type Reader<Value> = (value: JsonValue, place: Place) => Value | undefined;

/** Text as `parse` takes it; an empty one, as templates leave behind, says nothing. */
export function text<Value>(parse: Parser<Value>): Reader<Sourced<Value>> {
  return (value, place) => {
    if (typeof value !== "string") return place.refuse(notText(value));
    return value.trim() === "" ? undefined : parsed(parse, value, place);
  };
}

function parsed<Value>(parse: Parser<Value>, value: string, place: Place): Sourced<Value> | undefined {
  const result = parse(value);
  if ("fault" in result) return place.refuse(`Cannot use ${quote(value)}: ${result.fault}.`);
  if (result.note !== undefined) place.note(result.note.code, result.note.message);
  return sourced(result.value, place.source);
}

/** Text as it is. */
export const plainText = text((value) => ({ value }));

export const flag: Reader<Sourced<boolean>> = (value, place) =>
  typeof value === "boolean" ? sourced(value, place.source) : place.refuse(`Cannot use ${show(value)}: expected true or false, without quotes.`);

/** The mapping as it is; an empty one says nothing. */
export const mapping: Reader<JsonObject> = (value, place) => {
  if (!isJsonObject(value)) return place.refuse(notMapping(value));
  return Object.keys(value).length === 0 ? undefined : value;
};

/** Each item that says something. An empty list is one that nothing is in. */
export function list<Value>(item: Reader<Value>): Reader<readonly Value[]> {
  return (value, place) => {
    if (!Array.isArray(value)) return place.refuse(`Cannot use ${show(value)}: expected a list, each item on a line of its own after "- ".`);
    return value.flatMap((one: JsonValue, index) => (one === null ? [] : (item(one, place.at(index)) ?? [])));
  };
}

/** A list that replaces another layer's as a whole. */
export function sourcedList<Value>(item: Reader<Sourced<Value>>): Reader<Sourced<readonly Value[]>> {
  const read = list(item);
  return (value, place) => {
    const items = read(value, place);
    return items === undefined ? undefined : sourced(items.map((one) => one.value), place.source);
  };
}

export function notMapping(value: JsonValue): string {
  return `Cannot use ${show(value)}: expected a mapping of names to values.`;
}

function notText(value: JsonValue): string {
  const isScalar = typeof value === "number" || typeof value === "boolean";
  return `Cannot use ${show(value)}: expected text${isScalar ? `, as in ${JSON.stringify(String(value))}` : ""}.`;
}

/** A list or a mapping is named only: it may be long, and may hold secrets. */
function show(value: JsonValue): string {
  if (typeof value === "string") return quote(value);
  if (typeof value === "object" && value !== null) return Array.isArray(value) ? "a list" : "a mapping";
  return String(value);
}
