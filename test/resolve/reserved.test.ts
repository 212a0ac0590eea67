import { describe, expect, it } from "vitest";
import { sourced } from "../../src/lib/sourced.ts";
import { reservedMemoryMiB, reservedMillicores, resolveReserved } from "../../src/resolve/reserved.ts";
import { host, noted } from "./fixture.ts";

describe("reservedMillicores(): 6 % of core 1, 1 % of core 2, 0.5 % of cores 3 and 4, 0.25 % of the rest, each rounded down", () => {
  it.each([
    [1, 60, "60"],
    [2, 70, "60 + 10"],
    [3, 75, "60 + 10 + 5"],
    [4, 80, "60 + 10 + 10"],
    [5, 82, "and half of a millicore less than 2.5 of the fifth"],
    [6, 85, "the rest is rounded as one band"],
    [8, 90, "4 × 2.5"],
    [96, 310, "92 × 2.5"],
    [192, 550, "188 × 2.5"],
    [448, 1190, "444 × 2.5"],
  ])("%i CPUs -> %im (%s)", (cpus, millicores) => {
    expect(reservedMillicores(cpus)).toBe(millicores);
  });
});

describe("reservedMemoryMiB(): 11 MiB a pod and 255 MiB", () => {
  it.each([
    [4, 299, "t3.nano"],
    [29, 574, "m5.large"],
    [58, 893, "m4.xlarge"],
    [110, 1465, "kubelet's default"],
    [737, 8362, "the largest types"],
  ])("%i pods -> %i MiB (%s)", (pods, mebibytes) => {
    expect(reservedMemoryMiB(pods)).toBe(mebibytes);
  });
});

describe("resolveReserved()", () => {
  const pods = sourced(58, "built-in table (m4.xlarge)");

  it("is silent at half of the memory", () => {
    expect(noted((add) => resolveReserved(host({ memoryMiB: 1786 }), pods, add))).toEqual({ result: { cpuMillicores: 70, memoryMiB: 893, pods }, notes: [] });
  });

  it("notes that more than half of the memory is reserved", () => {
    expect(noted((add) => resolveReserved(host({ memoryMiB: 1785 }), pods, add)).notes).toEqual([
      {
        code: "much-memory-reserved",
        message: "893 MiB of this node's 1785 MiB are reserved for kubelet, reckoned for 58 pods (built-in table (m4.xlarge)). Fewer pods, or --reserve-for effective with a lower --max-pods, leave more to the pods.",
      },
    ]);
  });
});
