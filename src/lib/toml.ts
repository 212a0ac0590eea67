import { stringify } from "smol-toml";
import type { JsonObject } from "./json.ts";

/** TOML with the keys in the order of the value, so that the same value gives the same bytes. */
export function printToml(value: JsonObject): string {
  return stringify(value);
}
