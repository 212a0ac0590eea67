import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { imageFilesToKeep } from "../../src/apply/image-file.ts";
import { replaceFile } from "../../src/apply/write-file.ts";
import { keptAsidePath } from "../../src/lib/kept-aside.ts";
import { EMPTY_MANIFEST, type Manifest } from "../../src/plan/plan.ts";
import { file, plan } from "../plan/plans.ts";
import { makeTestMachine, type TestMachine } from "./test-machine.ts";

const PATH = "/etc/kubernetes/kubelet/kubelet-config.json";
const KEPT = "/var/lib/eks-node-agent/image/kubelet-config.json";

const PLAN = plan([file(PATH)]);

let m: TestMachine;
beforeEach(() => { m = makeTestMachine(); });
afterEach(() => m.remove());

async function keepImageFiles(manifest: Manifest): Promise<void> {
  for (const { path, file: kept } of await imageFilesToKeep(m.machine, PLAN, manifest)) await replaceFile(path, kept);
}

describe("imageFilesToKeep()", () => {
  it("keeps the image's kubelet configuration where gathering looks for it", async () => {
    m.write(PATH, '{"maxPods": 5}');
    await keepImageFiles(EMPTY_MANIFEST);
    expect([keptAsidePath(PATH), m.read(KEPT)]).toEqual([KEPT, '{"maxPods": 5}']);
  });

  it("keeps an empty one when the image has none", async () => {
    await keepImageFiles(EMPTY_MANIFEST);
    expect(m.read(KEPT)).toBe("{}\n");
  });

  it("keeps the first one for ever, even when the manifest is lost", async () => {
    await keepImageFiles(EMPTY_MANIFEST);
    m.write(PATH, '{"written": "by the agent"}');
    await keepImageFiles(EMPTY_MANIFEST);
    expect(m.read(KEPT)).toBe("{}\n");
  });

  it("does not take the agent's own file for the image's", async () => {
    m.write(PATH, '{"written": "by the agent"}');
    await keepImageFiles({ files: { [PATH]: "sha256:1" }, units: {} });
    expect(m.names("/var/lib/eks-node-agent")).toEqual([]);
  });

  it("keeps nothing of a file that this node does not have", async () => {
    m.write("/etc/docker/daemon.json", "{}");
    await keepImageFiles(EMPTY_MANIFEST);
    expect(m.names("/var/lib/eks-node-agent/image")).toEqual(["kubelet-config.json"]);
  });
});
