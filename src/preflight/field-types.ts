import { parseDuration } from "../lib/duration.ts";
import { isJsonObject } from "../lib/json.ts";
import type { JsonValue } from "../lib/json.ts";
import { parseQuantity } from "../lib/quantity.ts";
import { quote } from "./finding.ts";

/**
 * Why kubelet could not decode `value` as a field of `type`, as a sentence; undefined if it can.
 *
 * Kubelet decodes strictly by type: "110" is no number, 1 is no string, and null is the same as absent.
 */
export function complaintAboutType(type: string, value: JsonValue, path: string): string | undefined {
  if (value === null) return undefined;
  const items = /^list<(.*)>$/.exec(type)?.[1];
  if (items !== undefined) return complaintAboutList(items, value, path);
  const values = /^map<string,(.*)>$/.exec(type)?.[1];
  if (values !== undefined) return complaintAboutMap(values, value, path);
  const scalar = SCALARS[type];
  if (scalar === undefined || scalar.accepts(value)) return undefined;
  return complaint(value, path, scalar.expected);
}

function complaintAboutList(items: string, value: JsonValue, path: string): string | undefined {
  if (!isList(value)) return complaint(value, path, "a list");
  return firstOf(value.map((item, index) => complaintAboutType(items, item, `${path}[${index}]`)));
}

function complaintAboutMap(values: string, value: JsonValue, path: string): string | undefined {
  if (!isJsonObject(value)) return complaint(value, path, "a map");
  return firstOf(Object.entries(value).map(([key, item]) => complaintAboutType(values, item, `${path}.${key}`)));
}

function firstOf(complaints: readonly (string | undefined)[]): string | undefined {
  return complaints.find((text) => text !== undefined);
}

function complaint(value: JsonValue, path: string, expected: string): string {
  return `Cannot use ${quote(value)} as ${path}: kubelet expects ${expected}`;
}

type Scalar = { readonly expected: string; readonly accepts: (value: JsonValue) => boolean };

const SCALARS: Readonly<Record<string, Scalar>> = {
  bool: { expected: "true or false, without quotes", accepts: (value) => typeof value === "boolean" },
  string: { expected: "a string, in quotes", accepts: (value) => typeof value === "string" },
  "RFC3339 time": { expected: "a time, in quotes", accepts: (value) => typeof value === "string" },
  object: { expected: "an object", accepts: isJsonObject },
  int32: whole(-(2 ** 31), 2 ** 31 - 1),
  int64: whole(-(2 ** 63), 2 ** 63 - 1),
  uint32: whole(0, 2 ** 32 - 1),
  float64: { expected: "a number, without quotes", accepts: (value) => typeof value === "number" },
  duration: { expected: 'a duration such as "1m30s"', accepts: isDuration },
  "int64-nanoseconds": { expected: "a whole number of nanoseconds, without quotes", accepts: Number.isInteger },
  "duration|int64-nanoseconds": { expected: 'a duration such as "5s"', accepts: (value) => Number.isInteger(value) || isDuration(value) },
  quantity: { expected: 'a quantity such as "100Mi"', accepts: (value) => typeof value === "number" || (typeof value === "string" && parseQuantity(value) !== undefined) },
};

function whole(least: number, most: number): Scalar {
  return {
    expected: `a whole number from ${least} to ${most}, without quotes`,
    accepts: (value) => typeof value === "number" && Number.isInteger(value) && value >= least && value <= most,
  };
}

function isDuration(value: JsonValue): boolean {
  return typeof value === "string" && parseDuration(value) !== undefined;
}

function isList(value: JsonValue): value is readonly JsonValue[] {
  return Array.isArray(value);
}
