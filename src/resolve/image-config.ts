import { isJsonObject, type JsonObject, parseJson } from "../lib/json.ts";
import { PATHS } from "../lib/paths.ts";
import { type Sourced, sourced } from "../lib/sourced.ts";
import type { HostFacts } from "./facts.ts";
import type { AddNote } from "./notes.ts";

/** The kubelet-config.json that the image came with; one that is no JSON object is left out with a note. */
export function resolveImageConfig(host: HostFacts, addNote: AddNote): Sourced<JsonObject> | undefined {
  const text = host.files[PATHS.kubeletConfig];
  if (text === undefined || text.trim() === "") return undefined;
  const value = parseJson(text);
  if (isJsonObject(value)) return sourced(value, `the image's ${PATHS.kubeletConfig}`);
  addNote("image-config-unusable", `The image's ${PATHS.kubeletConfig} is no JSON object, so nothing of it is kept.`);
  return undefined;
}
