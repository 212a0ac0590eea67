import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { keepImageFiles } from "../../src/apply/image-file.ts";
import { keptAsidePath } from "../../src/lib/kept-aside.ts";
import { EMPTY_MANIFEST } from "../../src/plan/plan.ts";
import { file, plan } from "../plan/plans.ts";
import { makeTestMachine, type TestMachine } from "./test-machine.ts";

const PATH = "/etc/kubernetes/kubelet/kubelet-config.json";
const KEPT = "/var/lib/eks-node-agent/image/kubelet-config.json";

const PLAN = plan([file(PATH)]);

let m: TestMachine;
beforeEach(() => { m = makeTestMachine(); });
afterEach(() => m.remove());

describe("keepImageFiles()", () => {
  it("keeps the image's kubelet configuration where gathering looks for it", async () => {
    m.write(PATH, '{"maxPods": 5}');
    await keepImageFiles(m.machine, PLAN, EMPTY_MANIFEST);
    expect([keptAsidePath(PATH), m.read(KEPT)]).toEqual([KEPT, '{"maxPods": 5}']);
  });

  it("keeps an empty one when the image has none", async () => {
    await keepImageFiles(m.machine, PLAN, EMPTY_MANIFEST);
    expect(m.read(KEPT)).toBe("{}\n");
  });

  it("keeps the first one for ever, even when the manifest is lost", async () => {
    await keepImageFiles(m.machine, PLAN, EMPTY_MANIFEST);
    m.write(PATH, '{"written": "by the agent"}');
    await keepImageFiles(m.machine, PLAN, EMPTY_MANIFEST);
    expect(m.read(KEPT)).toBe("{}\n");
  });

  it("does not take the agent's own file for the image's", async () => {
    m.write(PATH, '{"written": "by the agent"}');
    await keepImageFiles(m.machine, PLAN, { files: { [PATH]: "sha256:1" }, units: {} });
    expect(m.names("/var/lib/eks-node-agent")).toEqual([]);
  });

  it("keeps nothing of a file that this node does not have", async () => {
    m.write("/etc/docker/daemon.json", "{}");
    await keepImageFiles(m.machine, PLAN, EMPTY_MANIFEST);
    expect(m.names("/var/lib/eks-node-agent/image")).toEqual(["kubelet-config.json"]);
  });
});
