import { expect, test } from "vitest";
import { fieldDefault, fieldType, isFieldIn, kubeletField, kubeletFields } from "../../src/data/kubelet-field-lookup.ts";
import type { KubeletField } from "../../src/data/kubelet-field-lookup.ts";

test.each([
  ["containerRuntimeEndpoint", 26, false],
  ["containerRuntimeEndpoint", 27, true],
  ["logging.sanitization", 23, true],
  ["logging.sanitization", 24, false],
  ["registerWithTaints[].key", 22, false],
  ["registerWithTaints[].key", 23, true],
  ["maxPods", 36, true],
])("%s in kubelet 1.%i: %s", (path, minor, isIn) => {
  expect(isFieldIn(field(path), minor)).toBe(isIn);
});

test.each([
  ["maxPods", 33, "int32"],
  ["logging.flushFrequency", 27, "int64-nanoseconds"],
  ["logging.flushFrequency", 28, "duration|int64-nanoseconds"],
  ["registerWithTaints[].effect", 33, "string"],
  ["reservedMemory[].limits", 33, "map<string,quantity>"],
])("%s in kubelet 1.%i is of type %s", (path, minor, type) => {
  expect(fieldType(field(path), minor)).toBe(type);
});

test.each([
  ["kubeAPIQPS", 26, 5],
  ["kubeAPIQPS", 27, 50],
  ["failCgroupV1", 34, false],
  ["failCgroupV1", 35, true],
  ["enforceNodeAllocatable", 30, ["pods"]],
  ["syncFrequency", 30, "1m0s"],
  ["clusterDNS", 30, undefined],
])("%s in kubelet 1.%i is %j when absent", (path, minor, value) => {
  expect(fieldDefault(field(path), minor)).toEqual(value);
});

test.each([
  ["maxPods", false],
  ["failSwapOn", true],
])("an explicit zero of %s differs from its absence: %s", (path, isPointer) => {
  expect(field(path).isPointer).toBe(isPointer);
});

test("no field goes by a name that only differs in case, or by one of Object's", () => {
  expect(["maxpods", "MaxPods", "toString", "constructor", ""].map(kubeletField)).toEqual([undefined, undefined, undefined, undefined, undefined]);
});

test("the table has 165 rows, one for each path", () => {
  expect(kubeletFields().size).toBe(165);
});

function field(path: string): KubeletField {
  const found = kubeletField(path);
  if (found === undefined) throw new Error(`the table has no ${path}`);
  return found;
}
