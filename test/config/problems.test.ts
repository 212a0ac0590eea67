import { describe, expect, it } from "vitest";
import { problemsError, showProblem } from "../../src/config/problems.ts";
import { AgentError } from "../../src/errors.ts";

const ONE = { source: "option --ip-family", message: 'Cannot use "x": expected ipv4 or ipv6.' };
const TWO = { source: "user-data part 2", line: 7, path: "spec.cluster.cidr", message: 'Cannot use "y".' };

describe("showProblem()", () => {
  it.each([
    [ONE, 'option --ip-family: Cannot use "x": expected ipv4 or ipv6.'],
    [TWO, 'user-data part 2, line 7, spec.cluster.cidr: Cannot use "y".'],
  ])("%j", (problem, line) => {
    expect(showProblem(problem)).toBe(line);
  });
});

describe("problemsError() tells all problems at once", () => {
  const remedy = "Correct what is listed; `eks-node-agent --dry-run` with the same words checks it again and changes nothing.";
  it.each([
    [[ONE], "Cannot use the configuration: 1 problem"],
    [[ONE, TWO], "Cannot use the configuration: 2 problems"],
  ])("%j", (problems, message) => {
    expect(problemsError(problems)).toEqual(new AgentError("config-invalid", message, { remedy, lines: problems.map((problem) => showProblem(problem)) }));
  });
});
