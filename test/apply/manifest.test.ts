import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { MANIFEST_PATH, parseManifest, readManifest, recordedCommandLine } from "../../src/apply/manifest.ts";
import { writeManifest } from "../../src/apply/write-manifest.ts";
import { EMPTY_MANIFEST } from "../../src/plan/plan.ts";
import { makeTestMachine, modeOf, type TestMachine } from "./test-machine.ts";

let m: TestMachine;
beforeEach(() => { m = makeTestMachine(); });
afterEach(() => m.remove());

const manifest = {
  files: { "/etc/a": "sha256:1" },
  units: { "kubelet.service": "sha256:2" },
  commandLine: { args: ["bootstrap", "c"], environment: { USE_MAX_PODS: "false" } },
};

describe("the manifest", () => {
  it("is read as it was written, and is for root alone", async () => {
    await writeManifest(m.machine, manifest);
    expect(readManifest(m.machine, m.hooks.note)).toEqual(manifest);
    expect(recordedCommandLine(m.machine, m.hooks.note)).toEqual(manifest.commandLine);
    expect([modeOf(m.at(MANIFEST_PATH)), m.notes]).toEqual(["0600", []]);
  });

  it("is empty, with nothing to tell, when there is none", () => {
    expect(readManifest(m.machine, m.hooks.note)).toEqual(EMPTY_MANIFEST);
    expect(m.notes).toEqual([]);
  });

  it.each([
    ["cut off", '{"files":{"/etc/a":"sha'],
    ["empty", ""],
    ["no object", "[]"],
    ["without units", '{"files":{}}'],
    ["with a number for a digest", '{"files":{"/etc/a":1},"units":{}}'],
    ["with a list for files", '{"files":[],"units":{}}'],
    ["with a relative path", '{"files":{"etc/a":"x"},"units":{}}'],
    ["with a path out of its directory", '{"files":{"/etc/../../a":"x"},"units":{}}'],
    ["with a command line of another shape", '{"files":{},"units":{},"commandLine":{"args":"a","environment":{}}}'],
  ])("is an empty one, with a note, when it is broken: %s", (_how, text) => {
    m.write(MANIFEST_PATH, text);
    expect(readManifest(m.machine, m.hooks.note)).toEqual(EMPTY_MANIFEST);
    expect(m.notes).toEqual([
      "manifest-broken: /var/lib/eks-node-agent/manifest.json is not what eks-node-agent writes: it is replaced, files of earlier runs that are not planned any more stay, and running units are restarted once.",
    ]);
  });

  it("is an empty one, with a note, when it cannot be read", () => {
    m.write(`${MANIFEST_PATH}/file`, "");
    expect(readManifest(m.machine, m.hooks.note)).toEqual(EMPTY_MANIFEST);
    expect(m.notes).toEqual([`manifest-unreadable: ${m.at(MANIFEST_PATH)} cannot be read (EISDIR): what earlier runs wrote and started is not known.`]);
  });

  it("may have keys of a later version", () => {
    expect(parseManifest('{"version":2,"files":{},"units":{}}')).toEqual(EMPTY_MANIFEST);
  });
});
