import { fieldType, isFieldIn, kubeletField, kubeletFields } from "../data/kubelet-field-lookup.ts";
import type { KubeletField } from "../data/kubelet-field-lookup.ts";
import { isJsonObject } from "../lib/json.ts";
import type { JsonObject, JsonValue } from "../lib/json.ts";
import { didYouMean } from "../lib/nearest.ts";
import { NEWEST_MINOR } from "../resolve/kubelet-version.ts";
import { complaintAboutType } from "./field-types.ts";
import type { Finding } from "./finding.ts";
import { quote } from "./finding.ts";

export type FileInputs = {
  readonly minor: number;
  readonly config: JsonObject;
  readonly sourceOf: (path: string) => string;
};

/**
 * What kubelet 1.`minor` cannot decode of a KubeletConfiguration, and what it ignores: kubelet ends on a value of the
 * wrong type, and only warns of a field that it does not know.
 */
export function checkKubeletConfig(inputs: FileInputs): readonly Finding[] {
  return [...checkKind(inputs), ...checkObject(inputs, inputs.config, "", "")];
}

/** What the file must say of itself. */
const IDENTITY = { apiVersion: "kubelet.config.k8s.io/v1beta1", kind: "KubeletConfiguration" } as const;

function checkKind({ config, sourceOf }: FileInputs): readonly Finding[] {
  return Object.entries(IDENTITY).flatMap(([key, expected]): Finding[] => {
    const value = config[key];
    if (value === undefined || value === expected) return [];
    const message = `Cannot use ${quote(value)} as ${key} of the kubelet configuration: kubelet knows only ${quote(expected)}`;
    return [{ severity: "error", code: "field-value", message, source: sourceOf(key), remedy: `Write ${key}: ${expected}, or leave it out.` }];
  });
}

/** `path` has indices for a person ("vmodule[0]"), `pattern` has none, for the table ("vmodule[]"). */
function checkObject(inputs: FileInputs, object: JsonObject, path: string, pattern: string): readonly Finding[] {
  return Object.entries(object).flatMap(([key, value]) => {
    const prefix = (text: string): string => (text === "" ? key : `${text}.${key}`);
    return checkField(inputs, value, prefix(path), prefix(pattern), key);
  });
}

function checkField(inputs: FileInputs, value: JsonValue, path: string, pattern: string, key: string): readonly Finding[] {
  const field = kubeletField(pattern);
  if (field === undefined) return [unknown(inputs, path, pattern, key)];
  if (!isFieldIn(field, inputs.minor)) return [notInThisVersion(inputs, field, path)];
  const type = fieldType(field, inputs.minor);
  const complaint = complaintAboutType(type, value, path);
  if (complaint !== undefined) return [wrongType(inputs, path, complaint)];
  return checkChildren(inputs, type, value, path, pattern);
}

/** The keys of an object are fields; those of a map are the operator's. */
function checkChildren(inputs: FileInputs, type: string, value: JsonValue, path: string, pattern: string): readonly Finding[] {
  if (type === "object" && isJsonObject(value)) return checkObject(inputs, value, path, pattern);
  if (type !== "list<object>" || !Array.isArray(value)) return [];
  return value.flatMap((item: JsonValue, index) => (isJsonObject(item) ? checkObject(inputs, item, `${path}[${index}]`, `${pattern}[]`) : []));
}

function unknown({ minor, sourceOf }: FileInputs, path: string, pattern: string, key: string): Finding {
  const parent = pattern.slice(0, pattern.length - key.length);
  const siblings = [...kubeletFields().values()].filter((field) => isFieldIn(field, minor) && isChild(field, parent));
  const names = siblings.map((field) => field.path.slice(parent.length));
  return {
    severity: "note",
    code: "field-unknown",
    message: `kubelet 1.${minor} ignores the configuration field ${quote(path)}: no kubelet up to 1.${NEWEST_MINOR} knows it${didYouMean(key, names)}`,
    source: sourceOf(path),
    remedy: "Remove it, or correct its name.",
  };
}

function isChild(field: KubeletField, parent: string): boolean {
  return field.path.startsWith(parent) && !/[.[]/.test(field.path.slice(parent.length));
}

function notInThisVersion({ minor, sourceOf }: FileInputs, field: KubeletField, path: string): Finding {
  const isTooNew = minor < field.added;
  const why = isTooNew ? `it came with 1.${field.added}` : `it was removed in 1.${field.removedIn ?? minor}`;
  return {
    severity: "note",
    code: isTooNew ? "field-too-new" : "field-removed",
    message: `kubelet 1.${minor} ignores the configuration field ${quote(path)}: ${why}`,
    source: sourceOf(path),
    remedy: isTooNew ? "Remove it, or use an image with a newer kubelet." : "Remove it.",
  };
}

function wrongType({ sourceOf }: FileInputs, path: string, complaint: string): Finding {
  return { severity: "error", code: "field-type", message: complaint, source: sourceOf(path), remedy: `Correct ${path}.` };
}
