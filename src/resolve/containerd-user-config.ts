import { type Problem, problemsError } from "../config/problems.ts";
import { isJsonObject, type JsonObject, type JsonValue } from "../lib/json.ts";
import { mergeJson } from "../lib/merge-json.ts";
import { type Sourced, sourced } from "../lib/sourced.ts";
import { CRI, CRI_IMAGES, CRI_RUNTIME, PLACES, RENAMED_PLUGINS } from "./containerd-places.ts";
import type { AddNote } from "./notes.ts";

/** Whether the operator's settings are for containerd 2: they name a plugin that containerd 1 does not have. */
export function isForVersion3({ value }: Sourced<JsonObject>): boolean {
  return isJsonObject(value["plugins"]) && [CRI_IMAGES, CRI_RUNTIME].some((plugin) => Object.hasOwn(value["plugins"] as JsonObject, plugin));
}

/**
 * The operator's settings in the version in which the config is written. Their own `version` says nothing about the whole.
 *
 * @param containerd as it is called in messages: "containerd 1.7.27"
 * @throws AgentError "config-invalid" for settings of version 3 that containerd 1 would silently ignore
 */
export function userContainerdConfig(layers: readonly Sourced<JsonObject>[], version: 2 | 3, containerd: string, addNote: AddNote): readonly Sourced<JsonObject>[] {
  const settings = layers.map(({ value: { version: _, ...rest }, source }) => sourced<JsonObject>(rest, source));
  if (version === 3) return settings.map((layer) => inVersion3(layer, addNote));
  const problems = settings.filter(isForVersion3).map(({ source }) => tooNew(source, containerd));
  if (problems.length > 0) throw problemsError(problems);
  return settings;
}

function tooNew(source: string, containerd: string): Problem {
  const message = `Cannot use these settings for ${containerd}: they name ${CRI_IMAGES} or ${CRI_RUNTIME}, which are of containerd 2, and containerd 1 would ignore them. It has plugins."${CRI}" for both.`;
  return { source, path: "spec.containerd.config", message };
}

/** What stands in the table of version 2 is moved; what stands in version 3's tables as well is stronger. */
function inVersion3({ value, source }: Sourced<JsonObject>, addNote: AddNote): Sourced<JsonObject> {
  const plugins = value["plugins"];
  if (!isJsonObject(plugins)) return sourced(value, source);
  const moved = Object.entries(plugins).filter(([name]) => isOfVersion2(name)).flatMap(([name, table]) => movedTables(name, table, source, addNote));
  const others = Object.fromEntries(Object.entries(plugins).filter(([name]) => !isOfVersion2(name)));
  const merged = mergeJson([...moved, others].map((tables) => sourced(tables, source)));
  return sourced({ ...value, plugins: merged.value }, source);
}

function isOfVersion2(plugin: string): boolean {
  return plugin === CRI || RENAMED_PLUGINS[plugin] !== undefined;
}

/** A table that is none is left to containerd to refuse. */
function movedTables(plugin: string, table: JsonValue, source: string, addNote: AddNote): readonly JsonObject[] {
  if (plugin === CRI && isJsonObject(table)) return settingsOf(table).map((setting) => move(setting, source, addNote));
  return [{ [RENAMED_PLUGINS[plugin] ?? plugin]: table }];
}

type Setting = { readonly key: string; readonly value: JsonValue };

/** The table "containerd" is taken apart: its keys go to different plugins. */
function settingsOf(cri: JsonObject): readonly Setting[] {
  return Object.entries(cri).flatMap(([key, value]) => {
    if (key !== "containerd" || !isJsonObject(value)) return [{ key, value }];
    return Object.entries(value).map(([inner, innerValue]) => ({ key: `containerd.${inner}`, value: innerValue }));
  });
}

function move({ key, value }: Setting, source: string, addNote: AddNote): JsonObject {
  const place = PLACES.find((candidate) => candidate.key === key);
  if (place === undefined) {
    addNote("containerd-key-unknown", `It is not known where containerd 2 has ${key} of plugins."${CRI}" (${source}), so it is put into plugins."${CRI_RUNTIME}", as containerd's own migration does.`);
  }
  const { plugin = CRI_RUNTIME, path = key } = place ?? {};
  return { [plugin]: nested(path.split("."), key === "containerd.runtimes" ? withSandboxers(value) : value) };
}

function nested(keys: readonly string[], value: JsonValue): JsonObject {
  const [first = "", ...rest] = keys;
  return { [first]: rest.length === 0 ? value : nested(rest, value) };
}

/** containerd 1.7's sandbox_mode of a runtime is called sandboxer in version 3. */
function withSandboxers(runtimes: JsonValue): JsonValue {
  if (!isJsonObject(runtimes)) return runtimes;
  return Object.fromEntries(Object.entries(runtimes).map(([name, runtime]) => [name, withSandboxer(runtime)]));
}

function withSandboxer(runtime: JsonValue): JsonValue {
  if (!isJsonObject(runtime)) return runtime;
  const { sandbox_mode: mode, ...rest } = runtime;
  return mode === undefined ? runtime : { sandboxer: mode, ...rest };
}
