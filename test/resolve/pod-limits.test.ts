import { describe, expect, it } from "vitest";
import { type CniSettings, decidedPods, type KnownPodLimits, parseCniVersion, type PodLimits, podsFor } from "../../src/resolve/pod-limits.ts";

const M5_LARGE: KnownPodLimits = { enis: 3, ipv4PerEni: 10, vcpus: 2, isNitro: true };
const C5_9XLARGE: KnownPodLimits = { enis: 8, ipv4PerEni: 30, vcpus: 36, isNitro: true };
const T2_SMALL: KnownPodLimits = { enis: 3, ipv4PerEni: 4, vcpus: 1, isNitro: false };
const T1_MICRO: KnownPodLimits = { enis: 1, ipv4PerEni: 2, vcpus: 1, isNitro: false };
const OF_30: KnownPodLimits = { enis: 15, ipv4PerEni: 50, vcpus: 30, isNitro: true };

const CNI: CniSettings = { version: { major: 1, minor: 18 }, customNetworking: false, prefixDelegation: false, maxEnis: undefined };
const PREFIXES: CniSettings = { ...CNI, prefixDelegation: true };

describe("the pods that there are addresses for, and those recommended", () => {
  it.each<[string, KnownPodLimits, CniSettings, number, number]>([
    ["m5.large, as everywhere", M5_LARGE, CNI, 29, 29],
    ["without the first interface", M5_LARGE, { ...CNI, customNetworking: true }, 20, 20],
    ["with prefixes of 16 addresses", M5_LARGE, PREFIXES, 434, 110],
    ["with both", M5_LARGE, { ...PREFIXES, customNetworking: true }, 290, 110],
    ["with two interfaces", M5_LARGE, { ...CNI, maxEnis: 2 }, 20, 20],
    ["with more interfaces than there are", M5_LARGE, { ...CNI, maxEnis: 9 }, 29, 29],
    ["with two, less the first", M5_LARGE, { ...CNI, maxEnis: 2, customNetworking: true }, 11, 11],
    ["a CNI from before prefixes", M5_LARGE, { ...PREFIXES, version: { major: 1, minor: 8 } }, 29, 29],
    ["the first with prefixes", M5_LARGE, { ...PREFIXES, version: { major: 1, minor: 9 } }, 434, 110],
    ["the next major version", M5_LARGE, { ...PREFIXES, version: { major: 2, minor: 0 } }, 434, 110],
    ["an older major version", M5_LARGE, { ...PREFIXES, version: { major: 0, minor: 9 } }, 29, 29],
    ["Xen has no prefixes", T2_SMALL, PREFIXES, 11, 11],
    ["one interface, and the first is not for pods", T1_MICRO, { ...CNI, customNetworking: true }, 2, 2],
    ["above 30 vCPUs the ceiling is 250", C5_9XLARGE, CNI, 234, 234],
    ["above 30 vCPUs, with prefixes", C5_9XLARGE, PREFIXES, 3714, 250],
    ["30 vCPUs are few", OF_30, CNI, 737, 110],
    ["31 are many", { ...OF_30, vcpus: 31 }, CNI, 737, 250],
  ])("%s", (_, limits, cni, addressable, recommended) => {
    expect([podsFor(limits, cni, false), podsFor(limits, cni, true)]).toEqual([addressable, recommended]);
  });
});

describe("what a table that does not know everything decides", () => {
  const unknown = (limits: KnownPodLimits, ...names: readonly ("vcpus" | "isNitro")[]): PodLimits => ({ ...limits, ...Object.fromEntries(names.map((name) => [name, undefined])) });

  it.each<[string, PodLimits, CniSettings, number | undefined, number | undefined]>([
    ["everything is known", M5_LARGE, CNI, 29, 29],
    ["processors do not matter below the ceiling", unknown(M5_LARGE, "vcpus"), CNI, 29, 29],
    ["they do above it", unknown(C5_9XLARGE, "vcpus"), CNI, 234, undefined],
    ["the hypervisor does not matter without prefixes", unknown(M5_LARGE, "isNitro"), CNI, 29, 29],
    ["it does with them", unknown(M5_LARGE, "isNitro"), PREFIXES, undefined, undefined],
    ["it does not where the CNI has none", unknown(M5_LARGE, "isNitro", "vcpus"), { ...PREFIXES, version: { major: 1, minor: 8 } }, 29, 29],
  ])("%s", (_, limits, cni, addressable, recommended) => {
    expect([decidedPods(limits, cni, false), decidedPods(limits, cni, true)]).toEqual([addressable, recommended]);
  });
});

describe("parseCniVersion()", () => {
  it.each<[string, [number, number] | undefined]>([
    ["1.7.5", [1, 7]],
    ["1.18", [1, 18]],
    ["v1.18.3-eksbuild.1", [1, 18]],
    ["1.9-rc1", [1, 9]],
    ["2.0.0", [2, 0]],
    ["1", undefined],
    ["1.", undefined],
    ["latest", undefined],
    ["-1.9", undefined],
    ["1.99999", undefined],
    ["", undefined],
  ])("%j", (text, expected) => {
    expect(parseCniVersion(text)).toEqual(expected === undefined ? undefined : { major: expected[0], minor: expected[1] });
  });
});
