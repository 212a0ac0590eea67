import fc from "fast-check";
import { expect, test } from "vitest";
import { fitText, widthOf, wrapText } from "../../src/report/text-width.ts";

const FITTED: readonly (readonly [text: string, width: number, fitted: string])[] = [
  ["DescribeCluster", 200, "DescribeCluster"],
  ["", 200, ""],
  ["meta-data/iam/security-credentials/demo-node-role", 200, "meta-data/i…entials/demo-node-role"],
  ["meta-data/iam/security-credentials/demo-node-role", 20, "…e"],
  ["meta-data", 5, ""],
  ["👩👩👩👩👩👩👩👩👩👩", 60, "👩…👩👩"],
];
test.each(FITTED)("%j in %i pixels", (text, width, fitted) => {
  expect(fitText(text, width, 12)).toBe(fitted);
});

test("no text is wider than its room", () => {
  fc.assert(
    fc.property(fc.string({ unit: "binary", maxLength: 200 }), fc.nat(300), (text, width) => {
      expect(widthOf(fitText(text, width, 12), 12)).toBeLessThanOrEqual(width);
    }),
  );
});

test("a wrapped text has all of its words in their order, and no line is wider than its room", () => {
  fc.assert(
    fc.property(fc.array(fc.stringMatching(/^[a-z]{1,8}$/)), (words) => {
      const lines = wrapText(words.join(" "), 100, 12);
      expect(lines.join(" ")).toBe(words.join(" "));
      expect(lines.filter((line) => widthOf(line, 12) > 100)).toEqual([]);
    }),
  );
});

test("a word that is longer than a line is shortened", () => {
  expect(wrapText(`see https://docs.aws.amazon.com/eks/latest/userguide/worker.html for it`, 100, 12)).toEqual(["see", "https…orker.html", "for it"]);
});
