import { PATHS } from "../lib/paths.ts";
import { printUnitFile, type UnitSetting } from "../lib/unit-file.ts";
import type { PlannedFile } from "../plan/plan.ts";
import type { Node } from "../resolve/node.ts";
import { plannedFile } from "./file.ts";

/**
 * Wants= and not Requires=: with the latter every restart of containerd restarts kubelet, and an image without that unit
 * cannot start it. Never ordered after cloud-init: user data that waits for kubelet would wait for itself.
 */
export function renderKubeletUnit(node: Node): PlannedFile {
  const isDocker = node.docker !== undefined;
  const runtime = isDocker ? "docker.service" : "containerd.service";
  const after = isDocker ? `${runtime} iptables-restore.service` : runtime;
  const contents = printUnitFile([
    ["Unit", [["Description", "Kubernetes Kubelet"], ["Documentation", "https://kubernetes.io/docs/reference/command-line-tools-reference/kubelet/"], ["After", after], ["Wants", runtime]]],
    [
      "Service",
      [
        ["Type", "simple"],
        ...(isDocker ? [] : [["Slice", "runtime.slice"] as const]),
        ...forwardAccept(node),
        ["ExecStart", "/usr/bin/kubelet $KUBELET_ARGS --cloud-provider=${KUBELET_CLOUD_PROVIDER} $KUBELET_EXTRA_ARGS"],
        ["Restart", "on-failure"],
        ["RestartForceExitStatus", "SIGPIPE"],
        ["RestartSec", "5"],
        ["KillMode", "process"],
        ["CPUAccounting", "yes"],
        ["MemoryAccounting", "yes"],
      ],
    ],
    ["Install", [["WantedBy", "multi-user.target"]]],
  ]);
  return plannedFile(PATHS.kubeletUnit, contents, { isUnitFile: true });
}

/** Docker used to set the policy to DROP; pods behind another node's address need it open. */
function forwardAccept({ host }: Node): readonly UnitSetting[] {
  const iptables = host.programs["iptables"];
  return iptables === undefined ? [] : [["ExecStartPre", `-${iptables} -P FORWARD ACCEPT -w 5`]];
}
