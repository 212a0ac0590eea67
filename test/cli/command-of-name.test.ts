import { expect, it } from "vitest";
import { commandOfName, scriptExitStatus } from "../../src/cli/command-of-name.ts";

it.each<[string, readonly string[], string]>([
  ["/usr/bin/imds", ["imds"], "a link"],
  ["imds", ["imds"], "found by PATH"],
  ["/etc/eks/max-pods-calculator.sh", ["max-pods"], ""],
  ["/usr/bin/eks-node-agent", [], "its own name"],
  ["max-pods", [], "a command, but no link's name"],
  ["constructor", [], "what every object has"],
  ["", [], "no name at all"],
])("called as %j it is %j (%s)", (argv0, command) => {
  expect(commandOfName(argv0)).toEqual(command);
});

it.each<[readonly string[], number | undefined]>([
  [["imds", "meta-data/mac"], 1],
  [["max-pods"], 1],
  [["token"], undefined],
  [["my-cluster", "imds"], undefined],
  [[], undefined],
])("%j ends with %s when something is wrong", (argv, status) => {
  expect(scriptExitStatus(argv)).toBe(status);
});
