import { describe, expect, it } from "vitest";
import type { JsonObject } from "../../src/lib/json.ts";
import { leavesOf, mergeJson, valueAt } from "../../src/lib/merge-json.ts";
import { sourced } from "../../src/lib/sourced.ts";

/** The layers come from A, B, C … */
function merge(...layers: readonly JsonObject[]): ReturnType<typeof mergeJson> {
  return mergeJson(layers.map((layer, index) => sourced(layer, String.fromCharCode(65 + index))));
}

describe("mergeJson()", () => {
  it.each<[string, readonly JsonObject[], JsonObject]>([
    ["nothing", [], {}],
    ["scalars: the later wins, in the place of the first", [{ a: 1, b: 2 }, { c: 3, a: 4 }], { a: 4, b: 2, c: 3 }],
    ["maps deep", [{ m: { a: 1, n: { b: 2 } } }, { m: { n: { c: 3 } } }], { m: { a: 1, n: { b: 2, c: 3 } } }],
    ["lists replace", [{ l: [1, 2] }, { l: [3] }], { l: [3] }],
    ["an empty list is a value", [{ l: [1] }, { l: [] }], { l: [] }],
    ["an empty map erases nothing", [{ m: { a: 1 } }, { m: {} }], { m: { a: 1 } }],
    ["an empty map does not erase a scalar", [{ m: 1 }, { m: {} }], { m: 1 }],
    ["an empty map where nothing was is a value", [{ m: {} }], { m: {} }],
    ["null removes", [{ a: 1, m: { b: 2, c: 3 } }, { a: null, m: { b: null } }], { m: { c: 3 } }],
    ["null where nothing was leaves nothing", [{ a: null, m: { b: null } }], { m: {} }],
    ["null, then a value", [{ a: 1 }, { a: null }, { a: 2 }], { a: 2 }],
    ["null removes a map whole", [{ m: { a: 1 } }, { m: null }, { m: { b: 2 } }], { m: { b: 2 } }],
    ["null inside a list stays", [{ l: [null, { a: null }] }], { l: [null, { a: null }] }],
    ["a map replaces a scalar", [{ m: 1 }, { m: { a: 1 } }], { m: { a: 1 } }],
    ["a scalar replaces a map", [{ m: { a: 1 } }, { m: 1 }], { m: 1 }],
    ["keys with dots are keys", [{ "a.b": 1, a: { b: 2 } }, { "a.b": 3 }], { "a.b": 3, a: { b: 2 } }],
  ])("%s", (_, layers, expected) => {
    expect(JSON.stringify(merge(...layers).value)).toBe(JSON.stringify(expected));
  });

  it("a key __proto__ is only a key, at any depth", () => {
    const hostile = JSON.parse('{"__proto__": {"polluted": 1}, "m": {"__proto__": {"polluted": 2}}}') as JsonObject;
    const { value } = merge({ m: { a: 1 } }, hostile);
    expect(JSON.stringify(value)).toBe('{"m":{"a":1,"__proto__":{"polluted":2}},"__proto__":{"polluted":1}}');
    expect(Object.hasOwn({}, "polluted") || "polluted" in {}).toBe(false);
  });

  it("does not change the layers", () => {
    const layers = [{ m: { a: 1 } }, { m: { b: 2 } }];
    merge(...layers);
    expect(layers).toEqual([{ m: { a: 1 } }, { m: { b: 2 } }]);
  });
});

describe("the source of a value", () => {
  it.each<[string, readonly JsonObject[], string, string | undefined]>([
    ["of a scalar is its last writer", [{ a: 1 }, { a: 2 }], "a", "B"],
    ["of a map is its last writer", [{ m: { a: 1 } }, { m: { b: 2 } }], "m", "B"],
    ["of a key is its own", [{ m: { a: 1 } }, { m: { b: 2 } }], "m.a", "A"],
    ["of an empty map over another is the other's", [{ m: { a: 1 } }, { m: {} }], "m", "A"],
    ["of what was removed is none", [{ m: { a: 1 } }, { m: null }], "m.a", undefined],
    ["of what a scalar replaced is none", [{ m: { a: 1 } }, { m: 1 }], "m.a", undefined],
    ["of a name that only begins alike stays", [{ m: 1, mm: 2 }, { m: null }], "mm", "A"],
    ["of nothing is none", [], "a", undefined],
  ])("%s", (_, layers, path, source) => {
    expect(merge(...layers).sourceOf(path)).toBe(source);
  });
});

describe("valueAt()", () => {
  const document = { a: { b: { c: 1 } }, "a.b": 2, l: [1] };

  it.each<[string | readonly string[], unknown]>([
    ["a.b.c", 1],
    ["a.b", { c: 1 }],
    [["a.b"], 2],
    [["a", "b", "c"], 1],
    ["a.x", undefined],
    ["a.b.c.d", undefined],
    ["l.0", undefined],
    ["toString", undefined],
    ["__proto__", undefined],
  ])("%j", (path, value) => {
    expect(valueAt(document, path)).toEqual(value);
  });
});

describe("leavesOf()", () => {
  it("are all values that are no maps with keys, in order", () => {
    expect(leavesOf({ b: { "x.y": 1, z: {} }, a: [{ c: 1 }], n: null })).toEqual([
      { keys: ["b", "x.y"], value: 1 },
      { keys: ["b", "z"], value: {} },
      { keys: ["a"], value: [{ c: 1 }] },
      { keys: ["n"], value: null },
    ]);
  });
});
