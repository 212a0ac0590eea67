import { isJsonObject, type JsonValue } from "../lib/json.ts";
import { redact } from "./redact.ts";

/** The same value with the secrets cut out of every text in it. */
export function redactJson(value: JsonValue): JsonValue {
  if (typeof value === "string") return redact(value);
  if (Array.isArray(value)) return value.map(redactJson);
  if (!isJsonObject(value)) return value;
  return Object.fromEntries(Object.entries(value).map(([key, child]) => [key, redactJson(child)]));
}
