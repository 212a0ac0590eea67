import { describe, expect, it } from "vitest";
import type { SandboxImageConfig } from "../../src/config/node-config.ts";
import { ECR_ACCOUNTS } from "../../src/data/ecr-regions.ts";
import { PATHS } from "../../src/lib/paths.ts";
import { fipsRegistryHost, resolveSandboxImage } from "../../src/resolve/sandbox-image.ts";
import { codes, FACTS, host, INSTANCE, noted, option } from "./fixture.ts";

type Case = { readonly image?: SandboxImageConfig; readonly region?: string; readonly dnsSuffix?: string; readonly of?: Parameters<typeof host>[0]; readonly resolves?: Record<string, boolean> };

function image({ image: config = {}, region = "us-east-1", dnsSuffix = "amazonaws.com", of = {}, resolves = {} }: Case = {}): ReturnType<typeof noted<{ value: string; source: string }>> {
  return noted((add) => resolveSandboxImage(config, { ...FACTS, resolves }, host(of), { ...INSTANCE, region, dnsSuffix }, add));
}

describe("the registry of each region", () => {
  it.each([
    ["us-east-1", "amazonaws.com", "602401143452.dkr.ecr.us-east-1.amazonaws.com"],
    ["eu-west-1", "amazonaws.com", "602401143452.dkr.ecr.eu-west-1.amazonaws.com"],
    ["ap-east-1", "amazonaws.com", "800184023465.dkr.ecr.ap-east-1.amazonaws.com"],
    ["me-south-1", "amazonaws.com", "558608220178.dkr.ecr.me-south-1.amazonaws.com"],
    ["il-central-1", "amazonaws.com", "066635153087.dkr.ecr.il-central-1.amazonaws.com"],
    ["us-gov-west-1", "amazonaws.com", "013241004608.dkr.ecr.us-gov-west-1.amazonaws.com"],
    ["us-gov-east-1", "amazonaws.com", "151742754352.dkr.ecr.us-gov-east-1.amazonaws.com"],
    ["cn-north-1", "amazonaws.com.cn", "918309763551.dkr.ecr.cn-north-1.amazonaws.com.cn"],
    ["cn-northwest-1", "amazonaws.com.cn", "961992271922.dkr.ecr.cn-northwest-1.amazonaws.com.cn"],
    ["us-iso-east-1", "c2s.ic.gov", "725322719131.dkr.ecr.us-iso-east-1.c2s.ic.gov"],
    ["us-isob-east-1", "sc2s.sgov.gov", "187977181151.dkr.ecr.us-isob-east-1.sc2s.sgov.gov"],
    ["eu-isoe-west-1", "cloud.adc-e.uk", "249663109785.dkr.ecr.eu-isoe-west-1.cloud.adc-e.uk"],
    ["us-isof-south-1", "csp.hci.ic.gov", "676585237158.dkr.ecr.us-isof-south-1.csp.hci.ic.gov"],
    ["eusc-de-east-1", "amazonaws.eu", "877088126301.dkr.ecr.eusc-de-east-1.amazonaws.eu"],
  ])("%s", (region, dnsSuffix, registry) => {
    expect(image({ region, dnsSuffix })).toEqual({ result: { value: `${registry}/eks/pause:3.5`, source: `built-in table (${region})` }, notes: [] });
  });

  it("is in the region itself, for all regions of the table", () => {
    for (const [region, account] of Object.entries(ECR_ACCOUNTS)) {
      expect(image({ region })).toMatchObject({ result: { value: `${account}.dkr.ecr.${region}.amazonaws.com/eks/pause:3.5` }, notes: [] });
    }
  });
});

describe("a region in no table is served by another of its partition, with a note", () => {
  it.each([
    ["us-east-9", "amazonaws.com", "602401143452.dkr.ecr.us-west-2.amazonaws.com"],
    ["us-gov-north-1", "amazonaws.com", "013241004608.dkr.ecr.us-gov-west-1.amazonaws.com"],
    ["cn-south-1", "amazonaws.com.cn", "961992271922.dkr.ecr.cn-northwest-1.amazonaws.com.cn"],
    ["us-iso-south-1", "c2s.ic.gov", "725322719131.dkr.ecr.us-iso-east-1.c2s.ic.gov"],
    ["us-isob-south-1", "sc2s.sgov.gov", "187977181151.dkr.ecr.us-isob-east-1.sc2s.sgov.gov"],
    ["eu-isoe-east-1", "cloud.adc-e.uk", "249663109785.dkr.ecr.eu-isoe-west-1.cloud.adc-e.uk"],
    ["us-isof-west-1", "csp.hci.ic.gov", "676585237158.dkr.ecr.us-isof-south-1.csp.hci.ic.gov"],
    ["eusc-de-west-1", "amazonaws.eu", "877088126301.dkr.ecr.eusc-de-east-1.amazonaws.eu"],
  ])("%s", (region, dnsSuffix, registry) => {
    const { result, notes } = image({ region, dnsSuffix });
    expect(result.value).toBe(`${registry}/eks/pause:3.5`);
    expect(notes).toEqual([
      {
        code: "region-unknown",
        message: `The region ${region} is not in the built-in table, so the sandbox image is pulled from ${registry.split(".")[3]}. Give --pause-container-account, or PAUSE_CONTAINER_IMAGE, if the region has its own registry.`,
      },
    ]);
  });

  it("unless the account is given", () => {
    expect(image({ region: "us-east-9", image: { account: option("111122223333", "pause-container-account") } })).toEqual({
      result: { value: "111122223333.dkr.ecr.us-east-9.amazonaws.com/eks/pause:3.5", source: "option --pause-container-account" },
      notes: [],
    });
  });
});

describe("what is asked for", () => {
  const reference = { value: "my.registry/pause:9", source: "variable PAUSE_CONTAINER_IMAGE" };
  const account = option("111122223333", "pause-container-account");
  const version = option("3.9", "pause-container-version");
  const cached = { present: [PATHS.pauseArchive] };

  it.each<[string, Case, string, string]>([
    ["PAUSE_CONTAINER_IMAGE is first", { image: { reference, account, version }, of: cached }, reference.value, reference.source],
    ["the image's archive is second", { of: cached }, "localhost/kubernetes/pause:latest", PATHS.pauseArchive],
    ["the version", { image: { version } }, "602401143452.dkr.ecr.us-east-1.amazonaws.com/eks/pause:3.9", "built-in table (us-east-1), option --pause-container-version"],
    ["account and version", { image: { account, version } }, "111122223333.dkr.ecr.us-east-1.amazonaws.com/eks/pause:3.9", "option --pause-container-account, option --pause-container-version"],
  ])("%s", (_, of, value, source) => {
    expect(image(of)).toEqual({ result: { value, source }, notes: [] });
  });

  it("an account or a version beside the image's archive has no effect, and that is noted", () => {
    const { result, notes } = image({ image: { version }, of: cached });
    expect(result.value).toBe("localhost/kubernetes/pause:latest");
    expect(notes).toEqual([
      {
        code: "pause-option-unused",
        message: "The option --pause-container-version has no effect, since the image carries the sandbox image itself (/etc/eks/pause.tar). PAUSE_CONTAINER_IMAGE would replace that.",
      },
    ]);
  });
});

describe("in FIPS mode", () => {
  const fips = "602401143452.dkr.ecr-fips.us-east-1.amazonaws.com";
  const of = { fips: true };

  it("the FIPS registry, if its name resolves", () => {
    expect(image({ of, resolves: { [fips]: true } })).toMatchObject({ result: { value: `${fips}/eks/pause:3.5` }, notes: [] });
  });

  it("the plain one with a note, if it does not", () => {
    const { result, notes } = image({ of, resolves: { [fips]: false } });
    expect(result.value).toBe("602401143452.dkr.ecr.us-east-1.amazonaws.com/eks/pause:3.5");
    expect(notes).toEqual([
      { code: "no-fips-registry", message: `FIPS mode is on, but the registry host ${fips} does not resolve, so 602401143452.dkr.ecr.us-east-1.amazonaws.com is used.` },
    ]);
  });

  it.each<[string, SandboxImageConfig, Parameters<typeof host>[0], string | undefined]>([
    ["asks for the registry's name", {}, of, fips],
    ["with the account given", { account: option("111122223333", "a") }, of, "111122223333.dkr.ecr-fips.us-east-1.amazonaws.com"],
    ["asks nothing without FIPS mode", {}, {}, undefined],
    ["asks nothing for a given image", { reference: option("x", "a") }, of, undefined],
    ["asks nothing for the image's archive", {}, { ...of, present: [PATHS.pauseArchive] }, undefined],
  ])("%s", (_, config, changes, expected) => {
    expect(fipsRegistryHost(config, host(changes), INSTANCE)).toBe(expected);
  });

  it("without FIPS mode nothing is noted", () => {
    expect(codes(image().notes)).toEqual([]);
  });
});
