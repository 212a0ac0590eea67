import { expect, test } from "vitest";
import { parseTable } from "../../packaging/generate/table.ts";
import { projectPath } from "../../packaging/generate.ts";
import { readFileSync } from "node:fs";
import { instanceTypeLimits } from "../../src/data/instance-type-lookup.ts";

const KNOWN = [
  { type: "m5.large", enis: 3, ipv4PerEni: 10, maxPods: 29, vcpus: 2, memoryMiB: 8192, arch: "amd64", hypervisor: "nitro", instanceStore: "0" },
  { type: "m4.xlarge", enis: 4, ipv4PerEni: 15, maxPods: 58, vcpus: 4, memoryMiB: 16384, arch: "amd64", hypervisor: "xen", instanceStore: "0" },
  { type: "a1.metal", enis: 8, ipv4PerEni: 30, maxPods: 234, vcpus: 16, memoryMiB: 32768, arch: "arm64", hypervisor: "metal", instanceStore: "0" },
  { type: "i3.8xlarge", enis: 8, ipv4PerEni: 30, maxPods: 234, vcpus: 32, memoryMiB: 249856, arch: "amd64", hypervisor: "xen", instanceStore: "4x1900" },
  { type: "p4d.24xlarge", enis: 15, ipv4PerEni: 50, maxPods: 737, vcpus: 96, memoryMiB: 1179648, arch: "amd64", hypervisor: "nitro", instanceStore: "8x1000" },
  { type: "c7g-flex.large", enis: 3, ipv4PerEni: 10, maxPods: 29, vcpus: undefined, memoryMiB: undefined, arch: undefined, hypervisor: "nitro", instanceStore: undefined },
];

test.each(KNOWN)("$type is known with $enis interfaces of $ipv4PerEni addresses", ({ type, ...limits }) => {
  expect(instanceTypeLimits(type)).toEqual(limits);
});

test.each([
  ["an unknown type", "m99.large"],
  ["the beginning of a type", "m5.larg"],
  ["the end of a type", "5.large"],
  ["a type in capitals", "M5.LARGE"],
  ["a type with a column after it", "m5.large 3"],
  ["a type with a line end before it", "\nm5.large"],
  ["a word of the columns", "nitro"],
  ["nothing", ""],
])("%s is not a type: %j", (_, type) => {
  expect(instanceTypeLimits(type)).toBeUndefined();
});

test("every type of the table is found, with the pod limit that the table computed", () => {
  const rows = parseTable(readFileSync(projectPath("packaging/facts/instance-types.tsv"), "utf8"));
  expect(rows.length).toBeGreaterThan(1400);
  expect(rows.map((row) => [row("type"), instanceTypeLimits(row("type"))?.maxPods])).toEqual(
    rows.map((row) => [row("type"), Number(row("max_pods_formula"))]),
  );
});
