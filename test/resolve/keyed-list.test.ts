import { describe, expect, it } from "vitest";
import { itemsArgument, type KeyedList, keyedItem, mergeItems, NODE_LABELS, TAINTS } from "../../src/resolve/keyed-list.ts";
import { noted } from "./fixture.ts";

/** Items are given as "source: text". */
function merge(list: KeyedList, ...items: readonly string[]): { readonly value: string | undefined; readonly source: string; readonly notes: readonly string[] } {
  const parsed = items.map((item) => {
    const [source = "", text = ""] = item.split(": ");
    return keyedItem(list, text, source);
  });
  const { result, notes } = noted((add) => itemsArgument(list, mergeItems(list, parsed, add)));
  return { value: result.value, source: result.source, notes: notes.map(({ message }) => message) };
}

describe("node labels merge by key", () => {
  it.each<[string, readonly string[], string, readonly string[]]>([
    ["different keys add up in their order", ["A: b=1", "A: a=1"], "b=1,a=1", []],
    ["the later wins, in the place of the first, with a note", ["A: a=1", "A: b=1", "B: a=2"], "a=2,b=1", ['The node label "a=1" (A) is replaced by "a=2" (B).']],
    ["an equal repeat is silent", ["A: a=1", "B: a=1"], "a=1", []],
    ["no = is an empty value", ["A: a=", "B: a"], "a", []],
    ["spaces around key and value are none of theirs", ["A: a=1", "B: a = 1"], "a = 1", []],
    ["an empty value is a value", ["A: a=1", "B: a="], "a=", ['The node label "a=1" (A) is replaced by "a=" (B).']],
    ["a value may hold =", ["A: a=b=c"], "a=b=c", []],
    ["a hostile key is only a key", ["A: __proto__=1", "B: constructor=2"], "__proto__=1,constructor=2", []],
  ])("%s", (_, items, value, notes) => {
    expect(merge(NODE_LABELS, ...items)).toMatchObject({ value, notes });
  });

  it("the flag's source names all of its items'", () => {
    expect(merge(NODE_LABELS, "A: a=1", "B: b=1", "A: c=1").source).toBe("A, B");
  });
});

describe("taints merge by key and effect", () => {
  it.each<[string, readonly string[], string, readonly string[]]>([
    ["another effect is another taint", ["A: a=1:NoSchedule", "B: a=1:NoExecute"], "a=1:NoSchedule,a=1:NoExecute", []],
    ["the later value wins with a note", ["A: a=1:NoSchedule", "B: a=2:NoSchedule"], "a=2:NoSchedule", ['The taint "a=1:NoSchedule" (A) is replaced by "a=2:NoSchedule" (B).']],
    ["an equal repeat is silent", ["A: a=1:NoSchedule", "B: a=1:NoSchedule"], "a=1:NoSchedule", []],
    ["no = is an empty value", ["A: a:NoSchedule", "B: a=:NoSchedule"], "a=:NoSchedule", []],
    ["no value is another value than one", ["A: a:NoSchedule", "B: a=1:NoSchedule"], "a=1:NoSchedule", ['The taint "a:NoSchedule" (A) is replaced by "a=1:NoSchedule" (B).']],
  ])("%s", (_, items, value, notes) => {
    expect(merge(TAINTS, ...items)).toMatchObject({ value, notes });
  });
});
