import { describe, expect, it } from "vitest";
import { parseCel } from "../../src/lib/cel.ts";

const result = (expression: string): unknown => {
  const parsed = parseCel(expression, ["a", "b"]);
  return "fault" in parsed ? parsed : parsed.evaluate({ a: 7, b: 2 });
};

describe("an expression in CEL", () => {
  it.each([
    ["417", 417],
    ["(a * (b - 1)) + 2", 9],
    ["a / b", 3],
    ["a % b", 1],
    ["-a + 10", 3],
    ["a < 30 ? a : 30", 7],
    ["a > 5 && !(b == 2) || a >= 7 ? 1 : 0", 1],
    ["double(a) / 2.0", 3],
    ["int(3.9) + int('4')", 7],
    ["a - 9", -2],
  ])("%s is %i", (expression, value) => {
    expect(result(expression)).toEqual({ value });
  });

  it.each([
    ["", "unexpected token: EOF"],
    ["a +", "unexpected token: EOF"],
    ["a + c", "unknown variable: c"],
    ["true", "it makes a value of type bool, not a number"],
    ["'12'", "it makes a value of type string, not a number"],
    ["a == b ? 1 : 'x'", "ternary branches must have the same type, got 'int' and 'string'"],
    ["a / (b - 2)", "division by zero"],
    ["9223372036854775807 + a", "integer overflow: 9223372036854775814"],
    ["min(a, b)", "there is no function min()"],
    ["[1, 2].all(x, x > 0) ? 1 : 2", "it has more than arithmetic, comparisons and ?:"],
    ["'aaaa'.matches('(a+)+b') ? 1 : 2", "it has more than arithmetic, comparisons and ?:"],
    [`${"(".repeat(60)}1${")".repeat(60)}`, "exceeded maxDepth (50)"],
    [`1${"+1".repeat(600)}`, "exceeded maxAstNodes (500)"],
  ])("%s cannot be used", (expression, fault) => {
    expect(result(expression)).toEqual({ fault });
  });

  it("tells the variables that it names", () => {
    expect(parseCel("a < 30 ? a : 30", ["a", "b"])).toMatchObject({ names: new Set(["a"]) });
  });
});
