import { KUBELET_CONFIG_FIELDS } from "./kubelet-config-fields.ts";

/** A field of any KubeletConfiguration from 1.20 to 1.36. Numbers are minors of 1.x; 20 stands for "already there". */
export type KubeletField = {
  /** "evictionHard", "logging.vmodule[].verbosity". */
  readonly path: string;
  readonly added: number;
  /** First minor without it. */
  readonly removedIn: number | undefined;
  /** An explicit zero, false or empty text differs from an absent key; of other fields kubelet takes it for absent. */
  readonly isPointer: boolean;
  /** By the first minor, oldest first: "bool", "duration", "map<string,quantity>", "list<object>". */
  readonly types: readonly Since<string>[];
  /** Kubelet's own defaults; of fields of which a rule needs none, there is none. */
  readonly defaults: readonly Since<unknown>[];
};

type Since<T> = { readonly since: number; readonly value: T };

/** The field of this path, with `[]` for an item of a list; undefined if no version knows it. */
export function kubeletField(path: string): KubeletField | undefined {
  return kubeletFields().get(path);
}

export function isFieldIn(field: KubeletField, minor: number): boolean {
  return minor >= field.added && (field.removedIn === undefined || minor < field.removedIn);
}

/** The field's type in 1.`minor`. */
export function fieldType(field: KubeletField, minor: number): string {
  return latest(field.types, minor) ?? "";
}

/** What kubelet 1.`minor` takes if the key is absent; undefined if there is no default, or it is a map. */
export function fieldDefault(field: KubeletField, minor: number): unknown {
  return latest(field.defaults, minor);
}

function latest<T>(history: readonly Since<T>[], minor: number): T | undefined {
  return (history.findLast(({ since }) => minor >= since) ?? history[0])?.value;
}

/** All fields by path, parsed at the first question. */
export function kubeletFields(): ReadonlyMap<string, KubeletField> {
  parsed ??= new Map(KUBELET_CONFIG_FIELDS.trim().split("\n").map((row) => parseRow(row)).map((field) => [field.path, field]));
  return parsed;
}

let parsed: ReadonlyMap<string, KubeletField> | undefined;

function parseRow(row: string): KubeletField {
  const [path = "", types = "", added, removedIn = "", pointer, defaults = ""] = row.split("\t");
  return {
    path,
    added: Number(added),
    removedIn: removedIn === "" ? undefined : Number(removedIn),
    isPointer: pointer === "pointer",
    types: parseHistory(types),
    defaults: parseHistory(defaults).map(({ since, value }) => ({ since, value: JSON.parse(value) as unknown })),
  };
}

/** "23:int64;28:duration" */
function parseHistory(cell: string): readonly Since<string>[] {
  if (cell === "") return [];
  return cell.split(";").map((entry) => {
    const colon = entry.indexOf(":");
    return { since: Number(entry.slice(0, colon)), value: entry.slice(colon + 1) };
  });
}
