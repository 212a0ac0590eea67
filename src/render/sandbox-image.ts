import { PATHS } from "../lib/paths.ts";
import { environmentLine, quoteArguments } from "../lib/systemd-quote.ts";
import { printUnitFile } from "../lib/unit-file.ts";
import type { PlannedFile } from "../plan/plan.ts";
import type { Node } from "../resolve/node.ts";
import { plannedFile } from "./file.ts";

/**
 * Has the sandbox image there before the first pod asks for it, with ECR's credentials, which containerd has none of. Not
 * oneshot: versions of systemd before 244 restart no such unit. Active when it is done, so that a run without changes has
 * nothing to start.
 */
export function renderSandboxImageUnit({ sandboxImage, containerd }: Node): readonly PlannedFile[] {
  if (isLocal(sandboxImage.value)) return [];
  const contents = printUnitFile([
    ["Unit", [["Description", "Pull and pin the sandbox image of pods"], ["After", "containerd.service"], ["Wants", "containerd.service"], ["StartLimitIntervalSec", "0"]]],
    [
      "Service",
      [
        ["Type", "simple"],
        // Read by ctr: the image must be unpacked where containerd will look for it.
        ...(containerd.snapshotter.value === "soci" ? [environmentLine("CONTAINERD_SNAPSHOTTER", "soci")] : []),
        ["ExecStart", `/usr/bin/eks-node-agent pull-sandbox-image ${quoteArguments([sandboxImage.value]).replaceAll("%", "%%").replaceAll("$", () => "$$")}`],
        ["RuntimeDirectory", "eks-node-agent-pull"],
        ["RuntimeDirectoryMode", "0700"],
        ["RemainAfterExit", "yes"],
        ["Restart", "on-failure"],
        ["RestartSec", "10"],
        ["RestartPreventExitStatus", "64"],
      ],
    ],
    ["Install", [["WantedBy", "multi-user.target"]]],
  ]);
  return [plannedFile(PATHS.sandboxImageUnit, contents, { isUnitFile: true })];
}

/** There is no registry on this machine: such an image was brought with the image and imported. */
function isLocal(reference: string): boolean {
  return reference.startsWith("localhost/");
}
