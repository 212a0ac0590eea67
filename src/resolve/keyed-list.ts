import type { AddNote } from "./notes.ts";
import type { Argument } from "./user-arguments.ts";

/** One item of a list in which a key must be said once: a node label, a taint. */
export type KeyedItem = {
  readonly key: string;
  /** What the key is set to: two items that differ in their text alone are equal. */
  readonly value: string;
  /** As it was written. */
  readonly text: string;
  readonly source: string;
};

/** How the items of a list flag are told apart, and what they are called in a note. */
export type KeyedList = {
  readonly flag: string;
  readonly noun: string;
  readonly parse: (item: string) => Pick<KeyedItem, "key" | "value">;
};

export const NODE_LABELS: KeyedList = {
  flag: "node-labels",
  noun: "node label",
  parse: (item) => {
    const [key, value] = cut(item, "=");
    // As kubelet does; in taints it keeps spaces, and refuses them.
    return { key: key.trim(), value: value.trim() };
  },
};

/** Two taints differ when their key *or* their effect does. */
export const TAINTS: KeyedList = {
  flag: "register-with-taints",
  noun: "taint",
  parse: (item) => {
    const [keyAndValue, effect] = cut(item, ":");
    const [key, value] = cut(keyAndValue, "=");
    return { key: `${key}:${effect}`, value };
  },
};

/** To kubelet "key" is "key=", and "key:NoSchedule" is "key=:NoSchedule". */
function cut(text: string, separator: string): readonly [before: string, after: string] {
  const at = text.indexOf(separator);
  return at === -1 ? [text, ""] : [text.slice(0, at), text.slice(at + 1)];
}

export function keyedItem(list: KeyedList, text: string, source: string): KeyedItem {
  return { ...list.parse(text), text, source };
}

/** The items of all occurrences of the list's flag. */
export function itemsOf(list: KeyedList, args: readonly Argument[]): readonly KeyedItem[] {
  return args
    .filter(({ name, value }) => name === list.flag && value !== undefined && value !== "")
    .flatMap(({ value = "", source }) => value.split(",").map((text) => keyedItem(list, text, source)));
}

/** One item for each key, in the order of first mention. The later one wins; another value than before is noted. */
export function mergeItems(list: KeyedList, items: readonly KeyedItem[], addNote: AddNote): readonly KeyedItem[] {
  const merged = new Map<string, KeyedItem>();
  for (const item of items) {
    const before = merged.get(item.key);
    if (before !== undefined && before.value !== item.value) {
      addNote("flag-item-replaced", `The ${list.noun} ${JSON.stringify(before.text)} (${before.source}) is replaced by ${JSON.stringify(item.text)} (${item.source}).`);
    }
    merged.set(item.key, item);
  }
  return [...merged.values()];
}

/** "a=b,c=d" as the one argument of the list's flag. */
export function itemsArgument(list: KeyedList, items: readonly KeyedItem[]): Argument {
  const sources = [...new Set(items.map(({ source }) => source))];
  return { name: list.flag, value: items.map(({ text }) => text).join(","), source: sources.join(", ") };
}
