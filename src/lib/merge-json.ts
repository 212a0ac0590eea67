import { isJsonObject, type JsonObject, type JsonValue } from "./json.ts";
import type { Sourced } from "./sourced.ts";

/** A merged document and where each of its values came from. */
export type MergedJson = {
  readonly value: JsonObject;
  /** Source of the value at a path such as "authentication.x509.clientCAFile"; of a map, that of its last writer. */
  readonly sourceOf: (path: string) => string | undefined;
};

/**
 * Merges layers from left to right: maps deep, scalars and lists replace, null removes the key so far. An empty map
 * erases nothing.
 */
export function mergeJson(layers: readonly Sourced<JsonObject>[]): MergedJson {
  const sources = new Map<string, string>();
  const value = layers.reduce<JsonObject>((merged, layer) => mergeObject(merged, layer.value, "", layer.source, sources), {});
  return { value, sourceOf: (path) => sources.get(path) };
}

function mergeObject(below: JsonObject, above: JsonObject, prefix: string, source: string, sources: Map<string, string>): JsonObject {
  const merged = new Map(Object.entries(below));
  for (const [key, value] of Object.entries(above)) {
    const path = prefix === "" ? key : `${prefix}.${key}`;
    const result = mergeValue(merged.get(key), value, path, source, sources);
    if (result === undefined) merged.delete(key);
    else merged.set(key, result);
  }
  // fromEntries defines own properties, so that a key "__proto__" is only a key.
  return Object.fromEntries(merged);
}

function mergeValue(below: JsonValue | undefined, above: JsonValue, path: string, source: string, sources: Map<string, string>): JsonValue | undefined {
  if (above === null) {
    forget(path, sources);
    return undefined;
  }
  if (isJsonObject(above)) {
    if (Object.keys(above).length === 0 && below !== undefined) return below;
    sources.set(path, source);
    return mergeObject(isJsonObject(below) ? below : {}, above, path, source, sources);
  }
  forget(path, sources);
  sources.set(path, source);
  return above;
}

function forget(path: string, sources: Map<string, string>): void {
  for (const known of [...sources.keys()]) {
    if (known === path || known.startsWith(`${path}.`)) sources.delete(known);
  }
}

/** A value that is no map with keys, and the keys that lead to it: keys may hold dots, as those of evictionHard do. */
export type Leaf = { readonly keys: readonly string[]; readonly value: JsonValue };

/** All leaves of a document in its order; an empty map is one. */
export function leavesOf(document: JsonObject): readonly Leaf[] {
  return Object.entries(document).flatMap(([key, value]) => {
    if (!isJsonObject(value) || Object.keys(value).length === 0) return [{ keys: [key], value }];
    return leavesOf(value).map((leaf) => ({ keys: [key, ...leaf.keys], value: leaf.value }));
  });
}

/** The value at a dotted path, or at the end of a list of keys; undefined where there is none. */
export function valueAt(document: JsonObject, path: string | readonly string[]): JsonValue | undefined {
  let value: JsonValue | undefined = document;
  for (const key of typeof path === "string" ? path.split(".") : path) {
    if (!isJsonObject(value) || !Object.hasOwn(value, key)) return undefined;
    value = value[key];
  }
  return value;
}
