import { expect } from "vitest";
import { makeBed } from "./bed/bed.ts";
import { describeBeds } from "./bed/describe.ts";
import { BOOTSTRAP_ARGS, cloudInitDone, kubeletArguments, kubeletState, multipart, scriptPart } from "./node.ts";

const BOOTSTRAP = `/etc/eks/bootstrap.sh ${BOOTSTRAP_ARGS.join(" ")}`;
const SIGNAL = "/opt/aws/bin/cfn-signal --exit-code $?";

describeBeds("user data written for bootstrap.sh", (test) => {
  test("as a list in runcmd starts kubelet with the arguments given", async () => {
    await using bed = await makeBed({ cloudInit: true });
    const command = ["/etc/eks/bootstrap.sh", ...BOOTSTRAP_ARGS, "--kubelet-extra-args", "--node-labels=team=blue --max-pods=42"];
    await bed.cloud.setWorld({ userData: `#cloud-config\n${JSON.stringify({ runcmd: [command] })}\n` });
    expect(await bed.booted()).toBe("running");
    expect(bed.kubeletStarts()).toEqual([kubeletArguments(["--node-labels=team=blue", "--max-pods=42"])]);
    expect(JSON.parse(bed.read("/run/cloud-init/result.json"))).toMatchObject({ v1: { errors: [] } });
  });

  test("that fails is an error of cloud-init's", async () => {
    await using bed = await makeBed({ cloudInit: true });
    await bed.cloud.setWorld({ userData: `#!/bin/bash -e\n${BOOTSTRAP} --no-such-option value\n` });
    await bed.boot();
    await cloudInitDone(bed);
    expect(bed.read("/run/cloud-init/result.json")).toContain("scripts");
    expect(bed.read("/var/log/cloud-init.log")).toContain("Exit code: 64");
    expect(bed.read("/var/log/cloud-init-output.log")).toContain("--no-such-option");
    expect(bed.kubeletStarts()).toEqual([]);
  });

  test("signals CloudFormation 0 when the node is up", async () => {
    await using bed = await makeBed({ cloudInit: true });
    await bed.cloud.setWorld({ userData: `#!/bin/bash\nset -o xtrace\n${BOOTSTRAP}\n${SIGNAL}\n` });
    expect(await bed.booted()).toBe("running");
    expect(bed.read("/var/log/cfn-signal")).toBe("--exit-code 0\n");
    expect(await kubeletState(bed)).toBe("active");
  });

  test("signals CloudFormation what kind of failure it was", async () => {
    await using bed = await makeBed({ cloudInit: true });
    const byId = `${BOOTSTRAP} --node-name instance-id`;
    const script = [
      ...["set -o xtrace", `${byId} --no-such-option value`, SIGNAL],
      ...[`${byId} --authenticator aws-iam-authenticator`, SIGNAL],
      ...["mkdir -p /var/lib/kubelet/kubeconfig/in-the-way", byId, SIGNAL, "rm -r /var/lib/kubelet/kubeconfig"],
      ...[`${byId} --kubelet-extra-args --no-such-flag=1`, SIGNAL],
      ...["/etc/eks/bootstrap.sh demo", SIGNAL],
      ...[`${BOOTSTRAP} --deadline 2s`, SIGNAL],
      ...[`echo '{"failures": 9}' > /etc/fake-kubelet.json`, byId, SIGNAL],
    ];
    await bed.cloud.setFaults([
      { on: "DescribeCluster", kind: "error", status: 403, name: "AccessDeniedException" },
      { on: "DescribeInstances", kind: "error", status: 503, name: "RequestLimitExceeded" },
    ]);
    await bed.cloud.setWorld({ userData: multipart(scriptPart(script.join("\n"))) });
    await bed.boot();
    await cloudInitDone(bed);
    expect(bed.read("/var/log/cfn-signal").trim().split("\n")).toEqual([64, 72, 73, 78, 77, 75, 69].map((status) => `--exit-code ${status}`));
  });

  test("runs bootstrap.sh under bash -x", async () => {
    await using bed = await makeBed();
    await bed.booted();
    const { status, stderr } = await bed.runUnit(["bash", "-x", "/etc/eks/bootstrap.sh", ...BOOTSTRAP_ARGS]);
    expect(stderr).toContain(`+ exec /usr/bin/eks-node-agent bootstrap demo --b64-cluster-ca`);
    expect(status).toBe(0);
  });

  test("inserts lines into bootstrap.sh with sed", async () => {
    await using bed = await makeBed();
    await bed.booted();
    await bed.must("sed", "-i", "/^set -o errexit/a export KUBELET_EXTRA_ARGS=--max-pods=17", "/etc/eks/bootstrap.sh");
    expect((await bed.runUnit(["/etc/eks/bootstrap.sh", ...BOOTSTRAP_ARGS])).status).toBe(0);
    expect(bed.kubeletStarts()).toEqual([kubeletArguments(["--max-pods=17"])]);
  });
});
