import { expect, test } from "vitest";
import { isBoolFlag, isFlagDeprecatedIn, isFlagIn, kubeletFlag, kubeletFlags } from "../../src/data/kubelet-flag-lookup.ts";
import type { KubeletFlag } from "../../src/data/kubelet-flag-lookup.ts";

test("a flag is looked up with all that the table knows of it", () => {
  expect(kubeletFlag("container-runtime-endpoint")).toEqual({
    name: "container-runtime-endpoint",
    type: "string",
    repeat: "last-wins",
    os: "all",
    added: 20,
    deprecatedIn: 27,
    undeprecatedIn: undefined,
    removedIn: undefined,
    configField: "containerRuntimeEndpoint",
    configFieldSince: 27,
  });
});

test("underscores in a flag's name are dashes", () => {
  expect(kubeletFlag("max_pods")).toBe(kubeletFlag("max-pods"));
});

test.each(["max-podz", "", "toString", "no-max-pods"])("%j is no flag of any version", (name) => {
  expect(kubeletFlag(name)).toBeUndefined();
});

test.each([
  ["pod-infra-container-image", 34, true],
  ["pod-infra-container-image", 35, false],
  ["container-runtime", 26, true],
  ["container-runtime", 27, false],
  ["config-dir", 27, false],
  ["config-dir", 28, true],
  ["fail-cgroupv1", 30, false],
  ["fail-cgroupv1", 31, true],
  ["max-pods", 21, true],
  ["max-pods", 36, true],
  ["windows-service", 33, false],
])("--%s in kubelet 1.%i: %s", (name, minor, isIn) => {
  expect(isFlagIn(flag(name), minor)).toBe(isIn);
});

test.each([
  ["register-with-taints", 22, false],
  ["register-with-taints", 23, true],
  ["cloud-provider", 28, true],
  ["cloud-provider", 29, false],
  ["provider-id", 27, true],
  ["provider-id", 28, false],
  ["pod-infra-container-image", 34, true],
  ["pod-infra-container-image", 35, false],
  ["node-labels", 36, false],
])("kubelet warns of --%s in 1.%i: %s", (name, minor, isDeprecated) => {
  expect(isFlagDeprecatedIn(flag(name), minor)).toBe(isDeprecated);
});

test.each([
  ["fail-swap-on", true],
  ["version", true],
  ["max-pods", false],
  ["feature-gates", false],
  ["v", false],
])("--%s is complete without a value: %s", (name, isBool) => {
  expect(isBoolFlag(flag(name))).toBe(isBool);
});

test("the table has 197 rows, one for each name", () => {
  expect(kubeletFlags().size).toBe(197);
});

function flag(name: string): KubeletFlag {
  const found = kubeletFlag(name);
  if (found === undefined) throw new Error(`the table has no --${name}`);
  return found;
}
