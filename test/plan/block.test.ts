import { describe, expect, it } from "vitest";
import { hasBlock, withBlock } from "../../src/plan/block.ts";

const BEGIN = "# BEGIN eks-node-agent: replaced at each of its runs\n";
const END = "# END eks-node-agent\n";
const block = (...lines: readonly string[]): string => [BEGIN, ...lines.map((line) => `${line}\n`), END].join("");
const LOCAL = "127.0.0.1 localhost\n";

describe("withBlock()", () => {
  it.each([
    ["an empty file", "", ["a"], block("a")],
    ["after what is there", LOCAL, ["a", "b"], LOCAL + block("a", "b")],
    ["after a last line without its line break", "127.0.0.1 localhost", ["a"], LOCAL + block("a")],
    ["in the place of the one that is there", `${LOCAL}${block("old")}::1 localhost\n`, ["a", "b"], `${LOCAL}${block("a", "b")}::1 localhost\n`],
    ["in the place of one that is the last, without its line break", `${LOCAL}${block("old").trimEnd()}`, ["a"], LOCAL + block("a")],
    ["once where there are two", `${block("one")}${LOCAL}${block("two")}`, ["a"], block("a") + LOCAL],
    ["without what is beside a mark whose other half is lost", `${BEGIN}one\n${LOCAL}`, ["a"], `${block("a")}one\n${LOCAL}`],
    ["without an end that has no beginning", `${LOCAL}${END}::1 x\n`, ["a"], `${LOCAL}${block("a")}::1 x\n`],
    ["the same as it is", LOCAL + block("a"), ["a"], LOCAL + block("a")],
    ["no more", `${LOCAL}${block("a")}::1 x\n`, [], `${LOCAL}::1 x\n`],
    ["not at all", "127.0.0.1 localhost", [], "127.0.0.1 localhost"],
  ] as const)("puts it %s", (_where, text, lines, expected) => {
    expect(withBlock(text, lines)).toBe(expected);
  });

  it.each([["", false], [LOCAL, false], [LOCAL + block("a"), true], [BEGIN, true], [`  ${BEGIN}`, false]])("hasBlock(%j) is %j", (text, expected) => {
    expect(hasBlock(text)).toBe(expected);
  });
});
