import { isFlagIn, kubeletFlag } from "../data/kubelet-flag-lookup.ts";
import type { KubeletFlag } from "../data/kubelet-flag-lookup.ts";
import { fieldDefault, kubeletField } from "../data/kubelet-field-lookup.ts";
import type { KubeletField } from "../data/kubelet-field-lookup.ts";
import { parseDuration } from "../lib/duration.ts";
import { isJsonObject } from "../lib/json.ts";
import type { JsonObject, JsonValue } from "../lib/json.ts";
import { valueAt } from "../lib/merge-json.ts";
import type { KubeletArgument } from "./finding.ts";
import { mayStandAlone, parseFlagValue } from "./flag-values.ts";

/** Where a value was set: "--max-pods" or "maxPods", and the source of that. */
export type Origin = { readonly name: string; readonly source: string };

/** The configuration that kubelet will have in the end: flags over the file over its own defaults. */
export type EffectiveConfig = {
  readonly minor: number;
  /** The value at a path such as "memorySwap.swapBehavior"; undefined where nothing is set and kubelet has no default. */
  readonly value: (path: string) => unknown;
  /** The value if a flag or the file sets it; undefined where kubelet's default holds. */
  readonly given: (path: string) => JsonValue | undefined;
  /** Who set it; undefined where kubelet's default holds. */
  readonly origin: (path: string) => Origin | undefined;
};

export type ConfigInputs = {
  /** Minor version of kubelet: 33 for 1.33. */
  readonly minor: number;
  readonly config: JsonObject;
  readonly sourceOf: (path: string) => string;
  readonly flags: readonly KubeletArgument[];
};

export function effectiveConfig({ minor, config, sourceOf, flags }: ConfigInputs): EffectiveConfig {
  const fromFlags = overlay(minor, config, flags);
  const given = (path: string): JsonValue | undefined => {
    const flag = fromFlags.get(path);
    return flag === undefined ? givenInFile(config, path) : flag.value;
  };
  return {
    minor,
    given,
    value: (path) => given(path) ?? defaultOf(minor, path),
    origin: (path) => {
      const flag = fromFlags.get(path);
      if (flag !== undefined) return { name: `--${flag.name}`, source: flag.source };
      return givenInFile(config, path) === undefined ? undefined : { name: path, source: sourceOf(path) };
    },
  };
}

/** Kubelet takes null for absent, and the zero of most fields, too. */
function givenInFile(config: JsonObject, path: string): JsonValue | undefined {
  const value = valueAt(config, path);
  const field = kubeletField(path);
  return value === null || (field !== undefined && !field.isPointer && isZero(field, value)) ? undefined : value;
}

function isZero(field: KubeletField, value: JsonValue | undefined): boolean {
  const isDuration = field.types.some(({ value: type }) => type.startsWith("duration"));
  return value === 0 || value === false || value === "" || (isDuration && typeof value === "string" && parseDuration(value) === 0n);
}

function defaultOf(minor: number, path: string): unknown {
  const field = kubeletField(path);
  return field === undefined ? undefined : fieldDefault(field, minor);
}

type FlagSetting = { readonly name: string; readonly source: string; readonly value: JsonValue };

/** What the flags set, by the path of the field that they replace. Of a flag that cannot be read, nothing. */
function overlay(minor: number, config: JsonObject, flags: readonly KubeletArgument[]): ReadonlyMap<string, FlagSetting> {
  const settings = new Map<string, FlagSetting>();
  for (const argument of flags) {
    const flag = kubeletFlag(argument.name);
    if (flag?.configField === undefined || !isFlagIn(flag, minor) || minor < (flag.configFieldSince ?? 0)) continue;
    const value = valueOf(flag, argument);
    if (value === undefined) continue;
    const before = settings.get(flag.configField)?.value ?? initial(config, flag.configField);
    settings.set(flag.configField, { name: flag.name, source: argument.source, value: combine(flag, before, value) });
  }
  return settings;
}

/** A map or list of flags replaces that of the file, but feature gates are merged into the file's. */
function initial(config: JsonObject, path: string): JsonValue | undefined {
  return path === "featureGates" ? valueAt(config, path) : undefined;
}

function combine(flag: KubeletFlag, before: JsonValue | undefined, value: JsonValue): JsonValue {
  if (flag.repeat === "merges" && isJsonObject(before) && isJsonObject(value)) return { ...before, ...value };
  if (flag.repeat === "appends" && isList(before) && isList(value)) return [...before, ...value];
  return value;
}

function isList(value: JsonValue | undefined): value is readonly JsonValue[] {
  return Array.isArray(value);
}

function valueOf(flag: KubeletFlag, { value }: KubeletArgument): JsonValue | undefined {
  if (value === undefined) return mayStandAlone(flag.type) ? true : undefined;
  const parsed = parseFlagValue(flag.name, flag.type, value);
  return "value" in parsed ? parsed.value : undefined;
}

/** The value at `path` if it is a number; another type is reported by the check of types. */
export function numberAt(config: EffectiveConfig, path: string): number | undefined {
  const value = config.value(path);
  return typeof value === "number" ? value : undefined;
}

export function textAt(config: EffectiveConfig, path: string): string | undefined {
  const value = config.value(path);
  return typeof value === "string" ? value : undefined;
}

/** In nanoseconds. */
export function durationAt(config: EffectiveConfig, path: string): bigint | undefined {
  const value = config.value(path);
  return typeof value === "string" ? parseDuration(value) : undefined;
}

export function wordsAt(config: EffectiveConfig, path: string): readonly string[] {
  const value = config.value(path);
  return Array.isArray(value) ? value.filter((item) => typeof item === "string") : [];
}

/** The items of a list that are objects. */
export function objectsAt(config: EffectiveConfig, path: string): readonly JsonObject[] {
  const value = config.value(path);
  return Array.isArray(value) ? value.filter((item): item is JsonObject => isJsonObject(item)) : [];
}

/** A map's entries whose values are texts. */
export function textsAt(config: EffectiveConfig, path: string): readonly (readonly [string, string])[] {
  const value = config.value(path);
  if (!isJsonObject(value)) return [];
  return Object.entries(value).flatMap(([key, text]) => (typeof text === "string" ? [[key, text] as const] : []));
}
