import { type KubeletFlag, kubeletFlag } from "../data/kubelet-flag-lookup.ts";
import type { JsonValue } from "../lib/json.ts";
import { type MergedJson, valueAt } from "../lib/merge-json.ts";
import type { Sourced } from "../lib/sourced.ts";
import { TAINTS } from "./keyed-list.ts";
import type { AddNote } from "./notes.ts";
import type { Argument } from "./user-arguments.ts";

/** A field of kubelet's configuration that a flag sets, too: kubelet takes the flag's value. */
export type BeatenField = {
  /** "maxPods"; of feature gates each by itself, since kubelet keeps the others of the configuration. */
  readonly keys: readonly string[];
  /** As kubelet sees it: occurrences of lists and maps add up. */
  readonly value: Sourced<string>;
  readonly flag: string;
};

/** The fields that the flags beat, in the order of the flags, whether the configuration sets them or not. */
export function beatenFields(args: readonly Argument[]): readonly BeatenField[] {
  const names = new Set(args.map(({ name }) => name));
  return [...names].flatMap((name) => {
    const flag = kubeletFlag(name);
    return flag?.configField === undefined ? [] : fieldsOf(flag, flag.configField, args.filter((argument) => argument.name === name));
  });
}

function fieldsOf(flag: KubeletFlag, field: string, args: readonly Argument[]): readonly BeatenField[] {
  const value = { value: valueOf(flag, args), source: args.at(-1)?.source ?? "" };
  if (field !== FEATURE_GATES) return [{ keys: field.split("."), value, flag: flag.name }];
  return value.value.split(",").map((item) => {
    const [gate = "", setting = ""] = item.split("=");
    return { keys: [field, gate], value: { ...value, value: setting }, flag: flag.name };
  });
}

const FEATURE_GATES = "featureGates";

function valueOf({ repeat }: KubeletFlag, args: readonly Argument[]): string {
  const values = args.map(({ value = "true" }) => value);
  return repeat === "last-wins" ? (values.at(-1) ?? "") : values.join(",");
}

/** The operator wrote both, and only one of them counts. (Taints are no such case: they are merged into the flag.) */
export function noteBeatenFields(args: readonly Argument[], userConfig: MergedJson, addNote: AddNote): void {
  for (const { keys, value, flag } of beatenFields(args)) {
    const beaten = valueAt(userConfig.value, keys);
    if (flag === TAINTS.flag || beaten === undefined || isSame(beaten, value.value)) continue;
    const field = keys.join(".");
    addNote("field-hidden", `The kubelet configuration's ${field} ${JSON.stringify(beaten)} (${sourceOfField(userConfig, keys)}) has no effect, since the flag --${flag}=${shown(keys, value.value)} (${value.source}) beats it.`);
  }
}

function shown(keys: readonly string[], value: string): string {
  return keys[0] === FEATURE_GATES ? `${keys.at(-1) ?? ""}=${value}` : value;
}

/** "20" is the number, "a,b" the list. */
function isSame(field: JsonValue, flag: string): boolean {
  if (Array.isArray(field)) return field.join(",") === flag;
  return typeof field !== "object" && String(field) === flag;
}

/** The source of a value, or of what it is a part of. */
export function sourceOfField(config: MergedJson, keys: readonly string[]): string {
  for (let length = keys.length; length > 0; length -= 1) {
    const source = config.sourceOf(keys.slice(0, length).join("."));
    if (source !== undefined) return source;
  }
  return "default";
}

/** Whether `keys` are those of the field, or of something inside it. */
export function isInField(keys: readonly string[], field: BeatenField): boolean {
  return field.keys.every((key, index) => keys[index] === key);
}

