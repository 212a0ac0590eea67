import fc from "fast-check";
import { expect, it } from "vitest";
import type { JsonObject, JsonValue } from "../../src/lib/json.ts";
import { mergeJson } from "../../src/lib/merge-json.ts";
import { joinOverlays } from "../../src/lib/overlay-json.ts";
import { sourced } from "../../src/lib/sourced.ts";

const merged = (...layers: readonly JsonObject[]): JsonObject => mergeJson(layers.map((layer) => sourced(layer, "test"))).value;

const { document } = fc.letrec<{ value: JsonValue; document: JsonObject }>((tie) => ({
  value: fc.oneof({ depthSize: "small", maxDepth: 3 }, fc.constant(null), fc.integer({ min: 0, max: 3 }), fc.constant([1]), tie("document")),
  document: fc.dictionary(fc.constantFrom("a", "b", "c"), tie("value"), { maxKeys: 3 }),
}));

it("one overlay does to any document what the overlays do one after the other, unless it says that it does not", () => {
  let exact = 0;
  fc.assert(
    fc.property(document, fc.array(document, { maxLength: 3 }), (base, overlays) => {
      const { value, lost } = joinOverlays(overlays);
      if (lost.length > 0) return;
      exact += 1;
      expect(merged(base, value)).toEqual(merged(base, ...overlays));
    }),
    { numRuns: 1000 },
  );
  expect(exact).toBeGreaterThan(300);
});

it.each<[string, readonly JsonObject[], JsonObject, readonly (readonly string[])[]]>([
  ["maps are joined", [{ a: { b: 1 } }, { a: { c: 2 } }], { a: { b: 1, c: 2 } }, []],
  ["the later value holds", [{ a: 1 }, { a: [2] }], { a: [2] }, []],
  ["a null stays one", [{ a: 1 }, { a: null }], { a: null }, []],
  ["a value after a null", [{ a: null }, { a: 1 }], { a: 1 }, []],
  ["an empty map erases nothing", [{ a: 1 }, { a: {} }], { a: 1 }, []],
  ["a map after a null cannot be said", [{ a: { b: null } }, { a: { b: { c: 1 } } }], { a: { b: { c: 1 } } }, [["a", "b"]]],
  ["a map after a scalar cannot be said", [{ a: 1 }, { a: { c: 1 } }], { a: { c: 1 } }, [["a"]]],
])("%s", (_, overlays, value, lost) => {
  expect(joinOverlays(overlays)).toEqual({ value, lost });
});
