import { describe, expect, it } from "vitest";
import { parseKubeletVersion, resolveKubeletVersion } from "../../src/resolve/kubelet-version.ts";
import { noted } from "./fixture.ts";

const from = (version: string): unknown => noted((add) => resolveKubeletVersion({ value: { version, source: "kubelet --version" } }, add));

describe("parseKubeletVersion()", () => {
  it.each([
    ["1.33.5", { minor: 33, text: "1.33.5" }],
    ["v1.29.3-eks-abc123", { minor: 29, text: "1.29.3-eks-abc123" }],
    ["1.36.0-rc.1\n", { minor: 36, text: "1.36.0-rc.1" }],
  ])("%j", (text, version) => {
    expect(parseKubeletVersion(text)).toEqual(version);
  });

  it.each(["", "1.33", "2.0.0", "1.x.3", "Kubernetes v1.33.5", "1.33.5 and more"])("%j is none", (text) => {
    expect(parseKubeletVersion(text)).toBeUndefined();
  });
});

describe("kubelet's version", () => {
  it("is silent for those that the tables know", () => {
    expect(from("1.21.0")).toEqual({ result: { value: { minor: 21, text: "1.21.0" }, source: "kubelet --version" }, notes: [] });
    expect(from("1.36.3")).toMatchObject({ notes: [] });
  });

  it("newer than the tables is a note", () => {
    expect(from("1.37.0")).toEqual({
      result: { value: { minor: 37, text: "1.37.0" }, source: "kubelet --version" },
      notes: [
        {
          code: "kubelet-newer-than-agent",
          message: "Kubelet 1.37.0 is newer than 1.36, the last that this agent knows: it is set up like that one, and flags and fields that are newer still cannot be checked.",
        },
      ],
    });
  });

  it.each([
    ["1.20.15", "config-invalid", "Cannot configure kubelet 1.20.15 (from kubelet --version): the oldest supported version is 1.21"],
    ["<html>", "config-invalid", 'Cannot use "<html>" from kubelet --version as kubelet\'s version: expected one such as "1.33.5"'],
  ])("%s is an error", (version, code, message) => {
    expect(() => from(version)).toThrow(expect.objectContaining({ code, message }) as Error);
  });

  it("not to be found out is a missing program", () => {
    expect(() => resolveKubeletVersion({ failure: "/usr/bin/kubelet does not exist" }, () => undefined)).toThrow(
      expect.objectContaining({ code: "program-missing", message: "Cannot find out kubelet's version: /usr/bin/kubelet does not exist" }) as Error,
    );
  });
});
