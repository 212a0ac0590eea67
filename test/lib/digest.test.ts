import { describe, expect, it } from "vitest";
import { digestContents, digestParts } from "../../src/lib/digest.ts";

describe("digestContents()", () => {
  it("is the SHA-256 of the bytes, under its name", () => {
    expect(digestContents("abc", "bytes")).toBe("sha256:ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad");
  });

  it.each([
    ["layout does not count in JSON", '{"a":1,"b":[1,2]}', '{\n  "b": [1, 2],\n  "a": 1.0\n}\n', "json", true],
    ["order counts in a JSON list", "[1,2]", "[2,1]", "json", false],
    ["layout counts in bytes", '{"a":1}', '{ "a":1}', "bytes", false],
    ["what is no JSON is compared by bytes", '{"a":', '{"a": ', "json", false],
    ["a key named __proto__ counts", '{"__proto__":1}', "{}", "json", false],
  ] as const)("is the same for contents that compare as the same: %s", (_why, one, other, comparedAs, same) => {
    expect(digestContents(one, comparedAs) === digestContents(other, comparedAs)).toBe(same);
  });
});

describe("digestParts()", () => {
  it("tells apart lists whose joined texts are equal", () => {
    expect(digestParts(["a", "bc"])).not.toBe(digestParts(["ab", "c"]));
  });
});
