import { describe, expect, it } from "vitest";
import { PATHS } from "../../src/lib/paths.ts";
import { host, HOST, withoutProgram } from "../resolve/fixture.ts";
import { fileOf, planOf } from "./fixture.ts";

const unitOf = (of = host()): readonly string[] => (fileOf(planOf({}, { host: of }), PATHS.kubeletUnit)?.contents ?? "").split("\n");

describe("kubelet.service", () => {
  it("is whole, with one setting a line", () => {
    expect(unitOf()).toEqual([
      "[Unit]",
      "Description=Kubernetes Kubelet",
      "Documentation=https://kubernetes.io/docs/reference/command-line-tools-reference/kubelet/",
      "After=containerd.service",
      "Wants=containerd.service",
      "",
      "[Service]",
      "Type=simple",
      "Slice=runtime.slice",
      "ExecStartPre=-/sbin/iptables -P FORWARD ACCEPT -w 5",
      "ExecStart=/usr/bin/kubelet $KUBELET_ARGS --cloud-provider=${KUBELET_CLOUD_PROVIDER} $KUBELET_EXTRA_ARGS",
      "Restart=on-failure",
      "RestartForceExitStatus=SIGPIPE",
      "RestartSec=5",
      "KillMode=process",
      "CPUAccounting=yes",
      "MemoryAccounting=yes",
      "",
      "[Install]",
      "WantedBy=multi-user.target",
      "",
    ]);
  });

  it("does not call iptables where there is none", () => {
    expect(unitOf(withoutProgram("iptables")).filter((line) => line.startsWith("ExecStartPre"))).toEqual([]);
  });

  it("calls iptables where it is", () => {
    const of = host({ programs: { ...HOST.programs, iptables: "/usr/sbin/iptables" } });
    expect(unitOf(of)).toContain("ExecStartPre=-/usr/sbin/iptables -P FORWARD ACCEPT -w 5");
  });
});
