import { describe, expect, it } from "vitest";
import { PATHS } from "../../src/lib/paths.ts";
import { needsInstanceType, resolveTableMaxPods } from "../../src/resolve/max-pods.ts";
import { facts, host, INSTANCE, nodeConfig, noted } from "./fixture.ts";

const type = (name: string): typeof INSTANCE => ({ ...INSTANCE, type: name });
const table = (text: string): ReturnType<typeof facts> => facts({ host: host({ files: { [PATHS.eniMaxPods]: text } }) });
const maxPods = (known: ReturnType<typeof facts>, name: string): unknown => noted((add) => resolveTableMaxPods(known, type(name), add));

describe("max pods of an instance type: ENIs × (IPv4 addresses per ENI − 1) + 2", () => {
  it.each([
    ["m5.large", 29, "3 × 9 + 2"],
    ["m4.xlarge", 58, "4 × 14 + 2"],
    ["t3.nano", 4, "the smallest"],
    ["t3.medium", 17, "3 × 5 + 2"],
    ["c5.4xlarge", 234, "8 × 29 + 2"],
    ["p4d.24xlarge", 737, "15 × 49 + 2: the default network card only"],
  ])("%s -> %i (%s)", (name, pods) => {
    expect(maxPods(facts(), name)).toEqual({ result: { value: pods, source: `built-in table (${name})` }, notes: [] });
  });

  it("EC2's answer, for a type in no table", () => {
    const known = facts({ instanceType: { value: { enis: 4, ipv4PerEni: 15 } } });
    expect(maxPods(known, "z9.large")).toEqual({ result: { value: 58, source: "ec2:DescribeInstanceTypes" }, notes: [] });
  });

  it("110 with a note, when EC2 cannot be asked either", () => {
    expect(maxPods(facts({ instanceType: { failure: "EC2 denied ec2:DescribeInstanceTypes" } }), "z9.large")).toEqual({
      result: { value: 110, source: "default, the type is unknown" },
      notes: [
        {
          code: "max-pods-unknown",
          message: "The instance type z9.large is in no table, and EC2 could not be asked for its limits (EC2 denied ec2:DescribeInstanceTypes), so 110 pods are assumed. Give --kubelet-extra-args '--max-pods=N' if that is wrong.",
        },
      ],
    });
  });
});

describe("the image's eni-max-pods.txt", () => {
  const text = "# Mapping is calculated\n#m5.large 1\nm5.large 20\n\n  c5.large\t31  \nbroken\nhuge 999999\nz9.large 0\nm5.xlarge many\n";

  it.each([
    ["m5.large", 20, `${PATHS.eniMaxPods} (m5.large)`, "beats the built-in table"],
    ["c5.large", 31, `${PATHS.eniMaxPods} (c5.large)`, "any white space"],
    ["m5.xlarge", 58, "built-in table (m5.xlarge)", "a line that holds no count is left alone"],
    ["m5.2xlarge", 58, "built-in table (m5.2xlarge)", "a type that is not in it"],
  ])("%s -> %i", (name, value, source) => {
    expect(maxPods(table(text), name)).toEqual({ result: { value, source }, notes: [] });
  });
});

describe("EC2 is asked for a type's limits only", () => {
  it.each([
    ["when no table has it", facts(), "z9.large", true],
    ["not when the built-in table has it", facts(), "m5.large", false],
    ["not when the image's table has it", table("z9.large 44\n"), "z9.large", false],
    ["when the image's table says nothing of use", table("z9.large 0\n"), "z9.large", true],
    ["by its exact name", facts(), "m5.LARGE", true],
  ])("%s", (_, known, name, needed) => {
    expect(needsInstanceType(nodeConfig(), known, type(name))).toBe(needed);
  });
});
