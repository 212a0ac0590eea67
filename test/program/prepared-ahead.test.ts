import { readdirSync } from "node:fs";
import { join } from "node:path";
import { afterEach, beforeEach, describe, expect, test, vi } from "vitest";
import { startSimulator, type Simulator } from "../simulator/simulator.ts";
import { CLUSTER_CA_PEM, WORLD } from "../simulator/world.ts";
import { CAN_CHROOT, type Ended, makeNodeRoot, type NodeRoot, type RunOptions } from "./node-root.ts";

const CA = Buffer.from(CLUSTER_CA_PEM).toString("base64");
const COMMAND = ["demo", "--b64-cluster-ca", CA, "--apiserver-endpoint", "https://ABC.gr7.us-west-2.eks.amazonaws.com", "--wait", "none"];
/** Long enough for all that is prepared while EC2 answers. */
const LATENCY = { awsMs: 700 };

describe.skipIf(!CAN_CHROOT)("what is prepared while EC2 answers (skipped without root: it changes the root directory)", () => {
  let simulator: Simulator;
  let node: NodeRoot;

  beforeEach(async () => {
    simulator = await startSimulator({ world: WORLD, latency: LATENCY });
    node = makeNodeRoot();
  });
  afterEach(async () => {
    await simulator.close();
    node.remove();
  });

  const run = (args: readonly string[] = [], options: RunOptions = {}): Promise<Ended> => node.run([...COMMAND, ...args], { ...options, environment: simulator.environment });
  const temporaries = (): readonly string[] => ["etc", "var"].flatMap((top) => readdirSync(join(node.path, top), { recursive: true, encoding: "utf8" })).filter((name) => /\.eks-node-agent-[0-9a-f]{16}$/.test(name));

  test("lies beside its place, and is there alone when the run is over", async () => {
    const running = run();
    await vi.waitUntil(() => temporaries().length > 8, { timeout: 20_000 });
    expect(Object.keys(node.managedFiles()).filter((path) => !path.includes("/."))).toEqual([]);
    expect(await running).toMatchObject({ status: 0 });
    expect([temporaries(), node.read("/etc/systemd/system/kubelet.service.d/10-kubelet-args.conf").includes(`--hostname-override=${WORLD.privateDnsName}`)]).toEqual([[], true]);
  });

  test("is made anew where EC2 gives another name", async () => {
    simulator.setWorld({ ...WORLD, privateDnsName: "i-0123456789abcdef0.us-west-2.compute.internal" });
    expect(await run()).toMatchObject({ status: 0 });
    expect(node.read("/etc/systemd/system/kubelet.service.d/10-kubelet-args.conf")).toContain("--hostname-override=i-0123456789abcdef0.us-west-2.compute.internal");
    expect(temporaries()).toEqual([]);
  });

  test("is taken back, down to the directories, where EC2 does not answer", async () => {
    simulator.setFaults([{ on: "DescribeInstances", kind: "hang" }]);
    const before = node.snapshot();
    expect(await run(["--deadline", "2s"])).toMatchObject({ status: 75 });
    expect(node.snapshot().map(nameOf)).toEqual(before.map(nameOf));
    expect(node.managedFiles()).toEqual({});
  });

  test("is taken back when the run is told to stop", async () => {
    simulator.setFaults([{ on: "DescribeInstances", kind: "hang" }]);
    const before = node.snapshot();
    const ended = run([], { terminateAfter: vi.waitUntil(() => temporaries().length > 8, { timeout: 20_000 }) });
    expect(await ended).toMatchObject({ status: null });
    expect(node.snapshot().map(nameOf)).toEqual(before.map(nameOf));
  });
});

/** A directory in which something was for a moment is another by its time. */
function nameOf(entry: string): string {
  return entry.slice(0, entry.indexOf(" "));
}
