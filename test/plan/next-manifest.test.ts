import { describe, expect, it } from "vitest";
import { digestContents } from "../../src/lib/digest.ts";
import { compare } from "../../src/plan/compare.ts";
import { manifestDuringChanges, nextManifest, withUnitStarted } from "../../src/plan/next-manifest.ts";
import { unitDigest } from "../../src/plan/unit-digest.ts";
import { file, found, observed, plan, unit } from "./plans.ts";

const planned = plan([file("/etc/same", "a\n"), file("/etc/new.json", '{"a":1}')], [unit("kubelet.service", ["/etc/same"])]);
const digests = { "/etc/same": digestContents("a\n", "bytes"), "/etc/new.json": digestContents('{ "a": 1 }', "json") };
const commandLine = { args: ["bootstrap", "c"], environment: { USE_MAX_PODS: "false" } };

describe("nextManifest()", () => {
  it("names the planned files and units with their digests, and the command line", () => {
    expect(nextManifest(planned, commandLine)).toEqual({
      files: digests,
      units: { "kubelet.service": unitDigest(planned, unit("kubelet.service", ["/etc/same"])) },
      commandLine,
    });
  });

  it("has no command line when the node was not configured by one", () => {
    expect(nextManifest(plan([]), undefined)).toEqual({ files: {}, units: {} });
  });
});

describe("manifestDuringChanges()", () => {
  it("names old paths and new ones, and what the units were started with until now", () => {
    const before = observed({ "/etc/same": found("a\n"), "/etc/old": found("x") }, [], {
      files: { "/etc/same": digests["/etc/same"], "/etc/old": "sha256:old" },
      units: { "kubelet.service": "sha256:old" },
    });
    const { changes } = compare(planned, before);
    expect(manifestDuringChanges(planned, before, changes, commandLine)).toEqual({
      files: { "/etc/same": digests["/etc/same"], "/etc/old": "sha256:old", "/etc/new.json": "being-written" },
      units: { "kubelet.service": "sha256:old" },
      commandLine,
    });
  });
});

describe("withUnitStarted()", () => {
  it("changes the digest of that unit alone", () => {
    const manifest = { files: {}, units: { a: "1", b: "2" }, commandLine };
    expect(withUnitStarted(manifest, "b", "3")).toEqual({ files: {}, units: { a: "1", b: "3" }, commandLine });
  });
});

describe("unitDigest()", () => {
  const reader = unit("kubelet.service", ["/etc/same", "/etc/missing"]);
  it.each([
    ["the contents of a file it reads", plan([file("/etc/same", "b\n")]), reader],
    ["a file that it reads being planned", plan([file("/etc/same", "a\n"), file("/etc/missing")]), reader],
    ["what else it is started with", plan([file("/etc/same", "a\n")]), { ...reader, startedWith: ["1.33"] }],
  ])("changes with %s", (_why, otherPlan, otherUnit) => {
    expect(unitDigest(otherPlan, otherUnit)).not.toBe(unitDigest(plan([file("/etc/same", "a\n")]), reader));
  });

  it("does not change with files that it does not read", () => {
    expect(unitDigest(plan([file("/etc/same", "a\n"), file("/etc/else")]), reader)).toBe(unitDigest(plan([file("/etc/same", "a\n")]), reader));
  });
});
