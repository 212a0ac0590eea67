import { isJsonObject, type JsonObject, type JsonValue } from "./json.ts";

/** One overlay that does what two do, or the keys that lead to where no single one can. */
export type Overlay = { readonly value: JsonObject; readonly lost: readonly (readonly string[])[] };

/**
 * The overlay by which mergeJson makes of any document what it makes of it by all of these, one after the other. A null, a list or a
 * scalar that a later map takes the place of cannot be said: a map does not replace what it is merged into.
 */
export function joinOverlays(overlays: readonly JsonObject[]): Overlay {
  const lost: (readonly string[])[] = [];
  const value = overlays.reduce((below, above) => joinTwo(below, above, [], lost), {});
  return { value, lost };
}

function joinTwo(below: JsonObject, above: JsonObject, keys: readonly string[], lost: (readonly string[])[]): JsonObject {
  const joined = new Map(Object.entries(below));
  for (const [key, value] of Object.entries(above)) joined.set(key, joinValues(joined.get(key), value, [...keys, key], lost));
  return Object.fromEntries(joined);
}

function joinValues(below: JsonValue | undefined, above: JsonValue, keys: readonly string[], lost: (readonly string[])[]): JsonValue {
  if (below === undefined || !isJsonObject(above)) return above;
  if (isJsonObject(below)) return joinTwo(below, above, keys, lost);
  // An empty map erases nothing.
  if (Object.keys(above).length === 0 && below !== null) return below;
  lost.push(keys);
  return above;
}
