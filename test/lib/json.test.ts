import { describe, expect, it } from "vitest";
import { canonicalJson, isJsonObject, type JsonObject, printJson } from "../../src/lib/json.ts";

describe("printJson()", () => {
  it("has two spaces, the order of the value, and a final newline", () => {
    expect(printJson({ b: [1, { c: "ü" }], a: {} })).toBe('{\n  "b": [\n    1,\n    {\n      "c": "ü"\n    }\n  ],\n  "a": {}\n}\n');
  });
});

describe("canonicalJson()", () => {
  it.each([
    ['{"b": 1, "a": {"d": 1, "c": 2}}', '{"a":{"c":2,"d":1},"b":1}', "keys are sorted, at any depth"],
    ['[{"b": 1, "a": 2}, 3]', '[{"a":2,"b":1},3]', "in lists, too, whose order stays"],
    ['{"a": 1.0}', '{"a":1}', "1.0 is 1"],
    ['{"b": 1, "__proto__": {"c": 1}}', '{"__proto__":{"c":1},"b":1}', "a hostile key is only a key"],
  ])("%s -> %s (%s)", (text, canonical) => {
    expect(JSON.stringify(canonicalJson(JSON.parse(text) as JsonObject))).toBe(canonical);
  });
});

describe("isJsonObject()", () => {
  it.each<[unknown, boolean]>([
    [{}, true],
    [[], false],
    [null, false],
    ["{}", false],
    [undefined, false],
  ])("%j: %s", (value, is) => {
    expect(isJsonObject(value)).toBe(is);
  });
});
