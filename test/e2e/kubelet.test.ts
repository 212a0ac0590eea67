import { expect } from "vitest";
import { makeBed } from "./bed/bed.ts";
import { describeBeds } from "./bed/describe.ts";
import { BOOTSTRAP_ARGS, cloudInitDone, kubeletArguments, kubeletState } from "./node.ts";

const KUBELET_CONFIG = "/etc/kubernetes/kubelet/kubelet-config.json";

describeBeds("kubelet.service", (test) => {
  test("gets the user's arguments as given, whatever characters they are made of", async () => {
    await using bed = await makeBed();
    await bed.booted();
    const odd = [
      ...["--node-labels=a=b", "--max-pods=42", "--cluster-domain=%h %%", "--root-dir=/a b/$HOME/${HOME}", "--volume-plugin-dir=it's \"quoted\"", "--cert-dir=back\\slash"],
      ...["--log-cadvisor-usage", "--provider-id=<a>&;|*?#~`!(){}[]", "--node-status-update-frequency=10s", "--seccomp-default=false"],
    ];
    const words = odd.map((word) => `"${word.replaceAll(/["\\]/g, "\\$&").replaceAll("%", "%%")}"`).join(" ");
    const { status, stderr } = await bed.agent(...BOOTSTRAP_ARGS, "--preflight", "warn", "--kubelet-extra-args", words);
    expect(stderr).not.toContain("error");
    expect(status).toBe(0);
    expect([...(bed.kubeletStarts()[0] ?? [])].sort()).toEqual([...kubeletArguments(odd)].sort());
  });

  test("that exits once, since containerd is late, and then comes up, is a note", async () => {
    await using bed = await makeBed();
    await bed.booted();
    bed.write("/etc/fake-kubelet.json", '{"failures": 1}');
    const { status, stderr } = await bed.agent(...BOOTSTRAP_ARGS);
    expect(status).toBe(0);
    expect(stderr).toContain("kubelet.service exited once");
    expect(bed.kubeletStarts()).toHaveLength(2);
  });

  test("that exits twice is an error with its last words", async () => {
    await using bed = await makeBed();
    await bed.booted();
    bed.write("/etc/fake-kubelet.json", '{"failures": 9}');
    const { status, stderr } = await bed.agent(...BOOTSTRAP_ARGS);
    expect(status).toBe(69);
    expect(stderr).toContain("kubelet.service exited twice");
    expect(stderr).toContain("validate service connection");
  });

  test("that is not healthy in time is an error", async () => {
    await using bed = await makeBed();
    await bed.booted();
    bed.write("/etc/fake-kubelet.json", '{"healthz": 500}');
    const { status, stderr } = await bed.agent(...BOOTSTRAP_ARGS, "--wait-timeout", "3s");
    expect(status).toBe(69);
    expect(stderr).toContain("kubelet.service is active but not healthy (http://127.0.0.1:10248/healthz: 500) after 3 s");
  });

  test("that runs with old drop-ins is reloaded and restarted, also when an earlier run was killed before the reload", async () => {
    await using bed = await makeBed();
    await bed.booted();
    expect((await bed.agent(...BOOTSTRAP_ARGS)).status).toBe(0);
    const dropIn = "/etc/systemd/system/kubelet.service.d/30-kubelet-extra-args.conf";
    // As the run that writes the drop-in, and is killed, leaves it.
    bed.write(dropIn, "[Service]\nEnvironment='KUBELET_EXTRA_ARGS=--max-pods=42'\n");
    expect(await bed.show("kubelet.service", "NeedDaemonReload")).toEqual({ NeedDaemonReload: "yes" });
    expect((await bed.agent(...BOOTSTRAP_ARGS, "--kubelet-extra-args", "--max-pods=42")).status).toBe(0);
    expect(await bed.show("kubelet.service", "NeedDaemonReload")).toEqual({ NeedDaemonReload: "no" });
    expect(bed.kubeletStarts()).toEqual([kubeletArguments(), kubeletArguments(["--max-pods=42"])]);
  });

  test("is neither written nor restarted after eksctl's rewrite of its configuration by jq", async () => {
    await using bed = await makeBed();
    await bed.booted();
    expect((await bed.agent(...BOOTSTRAP_ARGS)).status).toBe(0);
    await bed.must("sh", "-c", `jq -S . ${KUBELET_CONFIG} > /run/rewritten && cat /run/rewritten > ${KUBELET_CONFIG}`);
    const rewritten = bed.read(KUBELET_CONFIG);
    const { status, stdout } = await bed.agent(...BOOTSTRAP_ARGS);
    expect(status).toBe(0);
    expect(stdout).toContain("No changes.");
    expect(bed.read(KUBELET_CONFIG)).toBe(rewritten);
    expect(bed.kubeletStarts()).toHaveLength(1);
  });

  test("ordered after cloud-final.service by somebody else does not hang user data", async () => {
    await using bed = await makeBed({ cloudInit: true });
    bed.write("/etc/systemd/system/kubelet.service.d/50-site.conf", "[Unit]\nAfter=cloud-final.service\n");
    await bed.cloud.setWorld({ userData: `#!/bin/bash\n/etc/eks/bootstrap.sh ${BOOTSTRAP_ARGS.join(" ")}\necho $? > /var/log/status\n` });
    await bed.boot();
    await cloudInitDone(bed);
    expect(bed.read("/var/log/status")).toBe("0\n");
    expect(bed.read("/var/log/cloud-init-output.log")).toContain("kubelet.service is queued, and systemd starts it after cloud-final.service");
    expect(await bed.must("systemctl", "is-system-running", "--wait")).toBe("running");
    expect(await kubeletState(bed)).toBe("active");
  });

  test("takes part in no ordering cycle, and its unit files are what systemd likes", async () => {
    await using bed = await makeBed();
    await bed.booted();
    expect((await bed.agent(...BOOTSTRAP_ARGS)).status).toBe(0);
    const units = (await bed.must("sh", "-c", "cd /etc/systemd/system && ls *.service *.mount 2>/dev/null | cat")).split("\n").filter((unit) => !unit.startsWith("dbus-"));
    expect(units).toContain("kubelet.service");
    const { status, stderr } = await bed.run(["systemd-analyze", "verify", "--man=no", ...units]);
    expect({ status, stderr }).toEqual({ status: 0, stderr: "" });
  });
});
