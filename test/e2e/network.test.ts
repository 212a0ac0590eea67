import { setTimeout as sleep } from "node:timers/promises";
import { expect } from "vitest";
import type { Fault } from "../simulator/faults.ts";
import { makeBed } from "./bed/bed.ts";
import { describeBeds } from "./bed/describe.ts";
import { BOOTSTRAP_ARGS, kubeletArguments, kubeletState } from "./node.ts";

const IMDS = "/latest/*";

describeBeds("a network that does not do what it should", (test) => {
  test("IMDS refuses connections for 5 s, then answers", async () => {
    await using bed = await makeBed();
    await bed.booted();
    await bed.breakNetwork("refused");
    const run = bed.agent(...BOOTSTRAP_ARGS);
    await sleep(5000);
    await bed.breakNetwork(undefined);
    expect((await run).status).toBe(0);
    expect(bed.kubeletStarts()).toEqual([kubeletArguments()]);
  });

  test.each(["black-hole", "unreachable", "refused"] as const)("IMDS is never there (%s): 75 at the deadline, and nothing is written", async (fault) => {
    await using bed = await makeBed();
    await bed.booted();
    await bed.breakNetwork(fault);
    const { status, stderr } = await bed.agent(...BOOTSTRAP_ARGS, "--deadline", "4s");
    expect(stderr).toContain("169.254.169.254");
    expect(status).toBe(75);
    expect(bed.exists("/etc/systemd/system/kubelet.service")).toBe(false);
  });

  test.each<[string, readonly Fault[]]>([
    ["IMDS resets connections", [{ on: IMDS, kind: "reset", times: 5 }]],
    ["IMDS is busy ten times", [{ on: IMDS, kind: "status", status: 503, times: 10 }]],
    ["IMDS sends its answers byte by byte", [{ on: "/latest/meta-data/*", kind: "slow", byteMs: 5 }]],
    ["IMDS cuts answers short", [{ on: "/latest/meta-data/*", kind: "truncated", times: 3 }]],
    ["a page of HTML comes in IMDS's place, at first", [{ on: "/latest/meta-data/mac", kind: "html", times: 2 }]],
    ["EC2 does not know the instance yet", [{ on: "DescribeInstances", kind: "error", status: 400, name: "InvalidInstanceID.NotFound", times: 2 }]],
  ])("%s, and the node comes up", async (_what, faults) => {
    await using bed = await makeBed();
    await bed.booted();
    await bed.cloud.setFaults(faults);
    const { status, stderr } = await bed.agent(...BOOTSTRAP_ARGS);
    expect({ status, stderr: status === 0 ? "" : stderr }).toEqual({ status: 0, stderr: "" });
    expect(await kubeletState(bed)).toBe("active");
  });

  test("IMDS's token is over in the middle of the run, and another one is got", async () => {
    await using bed = await makeBed();
    await bed.booted();
    await bed.cloud.setFaults([{ on: "/latest/meta-data/services/domain", kind: "status", status: 401, times: 1 }]);
    expect((await bed.agent(...BOOTSTRAP_ARGS)).status).toBe(0);
    const tokens = (await bed.cloud.requests()).filter(({ target }) => target === "/latest/api/token");
    expect(tokens.length).toBeGreaterThan(1);
  });

  test("EKS throttles three times, and the node comes up", async () => {
    await using bed = await makeBed();
    await bed.booted();
    await bed.cloud.setFaults([{ on: "DescribeCluster", kind: "error", status: 429, name: "ThrottlingException", times: 3 }]);
    expect((await bed.agent("demo")).status).toBe(0);
    const asked = (await bed.cloud.requests()).filter(({ target }) => target === "DescribeCluster");
    expect(asked).toHaveLength(4);
  });

  test("EKS throttles for ever: 75 at the deadline", async () => {
    await using bed = await makeBed();
    await bed.booted();
    await bed.cloud.setFaults([{ on: "DescribeCluster", kind: "error", status: 429, name: "ThrottlingException" }]);
    const { status, stderr } = await bed.agent("demo", "--deadline", "4s");
    expect(stderr).toContain("DescribeCluster");
    expect(status).toBe(75);
  });
});
