import { expect } from "vitest";
import { type Bed, makeBed } from "./bed/bed.ts";
import { describeBeds } from "./bed/describe.ts";
import { until } from "./bed/until.ts";
import { BOOTSTRAP_ARGS, kubeletArguments, kubeletState, multipart, NODE_CONFIG, nodeConfigPart, scriptPart, settled } from "./node.ts";

/** What the unit runs with. In double quotes, as EnvironmentFile= reads them: the whole is one value, and then split. */
const SYSCONFIG = `EKS_NODE_AGENT_ARGS="${BOOTSTRAP_ARGS.join(" ")}"\n`;

/** A user's script that the unit must come after: it brings the configuration. */
const LATE_CONFIG = `#!/bin/bash\nsleep 1\ncat > /etc/sysconfig/eks-node-agent <<'END'\n${SYSCONFIG}END\n`;

const AFTER_MULTI_USER = /^After=multi-user\.target\n/m;

describeBeds("eks-node-agent.service, enabled in an image", (test) => {
  test.each([
    ["is ordered after multi-user.target, as Debian's", true],
    ["is not, as Amazon Linux's", false],
  ])("runs after users' scripts where cloud-final.service %s", async (_where, isDebians) => {
    await using bed = await makeBed({ cloudInit: true });
    await bed.cloud.setWorld({ userData: LATE_CONFIG });
    const cloudFinal = bed.read("/usr/lib/systemd/system/cloud-final.service");
    expect(cloudFinal).toMatch(AFTER_MULTI_USER);
    if (!isDebians) bed.write("/etc/systemd/system/cloud-final.service", cloudFinal.replace(AFTER_MULTI_USER, ""));
    await bed.enable("eks-node-agent.service");
    expect(await bed.booted()).toBe("running");
    expect(await settled(bed, "eks-node-agent.service")).toBe("active");
    expect(bed.kubeletStarts()).toEqual([kubeletArguments()]);
    expect(bed.console()).not.toMatch(/ordering cycle/i);
  });

  test("takes its NodeConfig from user data, in which cloud-init finds its own parts", async () => {
    await using bed = await makeBed({ cloudInit: true });
    const config = `${NODE_CONFIG}  kubelet:\n    flags: ["--node-labels=team=blue"]\n`;
    await bed.cloud.setWorld({ userData: multipart(nodeConfigPart(config), scriptPart("echo ran > /var/log/ran")) });
    await bed.enable("eks-node-agent.service");
    expect(await bed.booted()).toBe("running");
    expect(await settled(bed, "eks-node-agent.service")).toBe("active");
    expect(bed.read("/var/log/ran")).toBe("ran\n");
    expect(bed.kubeletStarts()).toEqual([kubeletArguments(["--node-labels=team=blue"])]);
  });

  test("has nothing to do on an image that is given no configuration: 66, and the machine is as it was", async () => {
    await using bed = await makeBed();
    await bed.booted();
    await bed.run(["systemctl", "start", "eks-node-agent.service"]);
    expect(await bed.show("eks-node-agent.service", "ActiveState", "ExecMainStatus")).toEqual({ ActiveState: "failed", ExecMainStatus: "66" });
    expect(bed.exists("/etc/systemd/system/kubelet.service")).toBe(false);
  });

  test("is done, and says so, once kubelet is up", async () => {
    await using bed = await configured();
    await until("the agent has ended", async () => (await bed.show("eks-node-agent.service", "SubState"))["SubState"] === "exited");
    expect(await bed.show("eks-node-agent.service", "ActiveState", "Result")).toEqual({ ActiveState: "active", Result: "success" });
  });

  test("leaves a node that comes back after a reboot without cloud-init and without the agent", async () => {
    await using bed = await configured();
    await bed.powerOff();
    await bed.disable("eks-node-agent.service");
    expect(await bed.booted()).toBe("running");
    await until("kubelet has started again", () => bed.kubeletStarts().length === 2);
    expect(await kubeletState(bed)).toBe("active");
  });

  test("changes nothing at the next boot when nothing has changed", async () => {
    await using bed = await configured();
    const before = await filesOf(bed);
    await bed.powerOff();
    expect(await bed.booted()).toBe("running");
    await bed.must("systemctl", "start", "eks-node-agent.service");
    expect(await filesOf(bed)).toBe(before);
    expect(bed.kubeletStarts()).toHaveLength(2);
  });

  test("repeats the command line that the node was configured by", async () => {
    await using bed = await makeBed();
    await bed.booted();
    const { status } = await bed.runUnit(["/etc/eks/bootstrap.sh", ...BOOTSTRAP_ARGS, "--kubelet-extra-args", "--node-labels=team=blue"]);
    expect(status).toBe(0);
    await bed.powerOff();
    await bed.booted();
    await bed.must("systemctl", "start", "eks-node-agent.service");
    const given = kubeletArguments(["--node-labels=team=blue"]);
    expect(bed.kubeletStarts()).toEqual([given, given]);
  });

  test("takes over a new address after a reboot, and restarts kubelet once", async () => {
    await using bed = await configured();
    await bed.powerOff();
    await bed.cloud.setWorld({ localIpv4: "10.0.1.77", privateDnsName: "ip-10-0-1-77.us-west-2.compute.internal" });
    await bed.booted();
    await bed.must("systemctl", "start", "eks-node-agent.service");
    const addresses = bed.kubeletStarts().map((argv) => argv.slice(0, 2));
    const old = ["--node-ip=10.0.1.23", "--hostname-override=ip-10-0-1-23.us-west-2.compute.internal"];
    expect(addresses).toEqual([old, old, ["--node-ip=10.0.1.77", "--hostname-override=ip-10-0-1-77.us-west-2.compute.internal"]]);
  });

  test("is not tried again after an error that stays, and says what to do", async () => {
    await using bed = await makeBed();
    await bed.booted();
    bed.write("/etc/sysconfig/eks-node-agent", "EKS_NODE_AGENT_ARGS=elsewhere\n");
    const { status } = await bed.run(["systemctl", "start", "eks-node-agent.service"]);
    expect(status).toBe(1);
    expect(await bed.show("eks-node-agent.service", "ActiveState", "SubState", "ExecMainStatus", "NRestarts")).toEqual({ ActiveState: "failed", SubState: "failed", ExecMainStatus: "78", NRestarts: "0" });
    expect(await bed.journal("eks-node-agent.service")).toContain('"elsewhere"');
  });

  test("is tried again ten seconds after an error that may pass", async () => {
    await using bed = await makeBed();
    await bed.booted();
    await bed.cloud.setFaults([{ on: "DescribeCluster", kind: "error", status: 429, name: "ThrottlingException" }]);
    bed.write("/etc/sysconfig/eks-node-agent", 'EKS_NODE_AGENT_ARGS="demo --deadline 1s"\n');
    await bed.run(["systemctl", "start", "eks-node-agent.service"]);
    expect(await bed.show("eks-node-agent.service", "SubState", "ExecMainStatus", "RestartUSec")).toEqual({ SubState: "auto-restart", ExecMainStatus: "75", RestartUSec: "10s" });
    await bed.cloud.setFaults([]);
    expect(await settled(bed, "eks-node-agent.service")).toBe("active");
    expect(await bed.show("eks-node-agent.service", "NRestarts")).toEqual({ NRestarts: "1" });
  });
});

/** A machine that the unit has made a node of, at its first boot. */
async function configured(): Promise<Bed> {
  const bed = await makeBed();
  await bed.booted();
  bed.write("/etc/sysconfig/eks-node-agent", SYSCONFIG);
  await bed.enable("eks-node-agent.service");
  await bed.must("systemctl", "start", "eks-node-agent.service");
  return bed;
}

/** Every file below /etc and kubelet's folder with its contents and times. */
function filesOf(bed: Bed): Promise<string> {
  return bed.must("sh", "-c", "find /etc/kubernetes /etc/eks /etc/containerd /etc/systemd /var/lib/kubelet /var/lib/eks-node-agent -type f -printf '%p %T@ %i\\n' | grep -v last-run | LC_ALL=C sort");
}
