import { isJsonObject, type JsonObject, type JsonValue } from "../lib/json.ts";
import { nearestName } from "../lib/nearest.ts";
import { mergeNodeConfigs } from "./merge.ts";
import type { NodeConfig } from "./node-config.ts";
import type { Place } from "./place.ts";
import { notMapping, type Reader } from "./readers.ts";
import { configOf, type Part } from "./settings.ts";

/** A value of a document that is read as one, and the mappings that lead to it. */
export type Field = {
  readonly keys: readonly string[];
  readonly read: (value: JsonValue, place: Place) => NodeConfig | undefined;
};

/** @param path keys with dots between them: "spec.cluster.name" */
export function field<Value>(path: string, read: Reader<Value>, put: (value: Value) => Part): Field {
  return {
    keys: path.split("."),
    read: (value, place) => {
      const result = read(value, place);
      return result === undefined ? undefined : configOf(put(result));
    },
  };
}

/** A field that may be there and means nothing to a node. */
export function ignored(key: string): Field {
  return { keys: [key], read: () => undefined };
}

/** What a document of these fields asks for. A null is as good as no field, and a field that is in no table does nothing. */
export function readFields(fields: readonly Field[], document: JsonObject, place: Place): NodeConfig {
  return mergeNodeConfigs(readMapping(fields, document, place));
}

function readMapping(fields: readonly Field[], mapping: JsonObject, place: Place): readonly NodeConfig[] {
  return Object.entries(mapping).flatMap(([key, value]) => readEntry(fields, key, value, place));
}

function readEntry(fields: readonly Field[], key: string, value: JsonValue, place: Place): readonly NodeConfig[] {
  const here = place.at(key);
  const inside = fields.filter(({ keys }) => keys[0] === key);
  if (inside.length === 0) return here.tolerate("unknown-field", unknownField(key, fields)) ?? [];
  if (value === null) return [];
  const whole = inside.find(({ keys }) => keys.length === 1);
  if (whole !== undefined) return [whole.read(value, here) ?? []].flat();
  if (!isJsonObject(value)) return here.refuse(notMapping(value)) ?? [];
  return readMapping(inside.map(({ keys, read }) => ({ keys: keys.slice(1), read })), value, here);
}

function unknownField(key: string, fields: readonly Field[]): string {
  const known = [...new Set(fields.map(({ keys }) => keys[0] ?? ""))];
  const nearest = nearestName(key, known);
  return `There is no such field, so it does nothing${nearest === undefined ? `: the fields here are ${known.join(", ")}.` : `; did you mean ${nearest}?`}`;
}
