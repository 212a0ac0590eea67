import { describe, expect, it } from "vitest";
import { celProblem, evaluateMaxPods } from "../../src/config/max-pods-expression.ts";

// An m4.xlarge.
const INPUTS = { default_enis: 4, ips_per_eni: 15, max_pods: 58 };

describe("the pods that an expression makes of an instance type", () => {
  it.each([
    ["(default_enis * (ips_per_eni - 1)) + 2", 58, "the table's formula"],
    ["((default_enis - 1) * (ips_per_eni - 1)) + 2", 44, "custom networking: the first interface has no pods"],
    ["default_enis * (ips_per_eni - 1) * 16 + 2", 898, "prefixes of 16 addresses"],
    ["max_pods < 30 ? max_pods : 30", 30, "a ceiling"],
    ["max_pods", 58, "the table's count"],
  ])("%s -> %i (%s)", (expression, value) => {
    expect(evaluateMaxPods(expression, INPUTS)).toEqual({ value });
  });

  it.each([
    ["max_pods - 58", "it makes 0, which is no number of pods"],
    ["max_pods - 59", "it makes -1, which is no number of pods"],
    ["max_pods * 100000000", "it makes 5800000000, which is no number of pods"],
    ["enis * 2", "unknown variable: enis; there are default_enis, ips_per_eni, max_pods"],
  ])("none by %s", (expression, fault) => {
    expect(evaluateMaxPods(expression, INPUTS)).toEqual({ fault });
  });
});

describe("an expression that can be right on no instance", () => {
  it.each([
    ["enis * 2", 'Cannot use the expression "enis * 2": unknown variable: enis; there are default_enis, ips_per_eni, max_pods.'],
    ["max_pods > 5", 'Cannot use the expression "max_pods > 5": it makes a value of type bool, not a number.'],
    ["0", 'Cannot use the expression "0": it makes 0, which is no number of pods.'],
    ["1 / 0", 'Cannot use the expression "1 / 0": division by zero.'],
    [`max_pods +${" ".repeat(200)}`, `Cannot use the expression "max_pods +${" ".repeat(90)}": unexpected token: EOF.`],
  ])("%s", (expression, problem) => {
    expect(celProblem(expression)).toBe(problem);
  });

  it.each(["110", "max_pods - 58", "default_enis / (max_pods - 58)"])("is not %s, which some instance may make something of", (expression) => {
    expect(celProblem(expression)).toBeUndefined();
  });
});
