import { PATHS } from "../lib/paths.ts";
import { printUnitFile } from "../lib/unit-file.ts";
import type { PlannedFile } from "../plan/plan.ts";
import { BPF_MOUNT_MARK } from "../resolve/bpf-mount.ts";
import type { Node } from "../resolve/node.ts";
import { plannedFile } from "./file.ts";

/** The file system that network plugins pin their BPF programs in. Early, as what systemd mounts by itself. */
export function renderBpfMount({ mountsBpf }: Node): readonly PlannedFile[] {
  if (!mountsBpf) return [];
  const contents = printUnitFile([
    ["Unit", [["Description", `BPF file system ${BPF_MOUNT_MARK}`], ["Documentation", "https://docs.kernel.org/bpf/"], ["DefaultDependencies", "no"], ["Before", "local-fs.target umount.target"], ["After", "swap.target"], ["Conflicts", "umount.target"]]],
    ["Mount", [["What", "bpffs"], ["Where", "/sys/fs/bpf"], ["Type", "bpf"], ["Options", "rw,nosuid,nodev,noexec,relatime,mode=700"]]],
    ["Install", [["WantedBy", "multi-user.target"]]],
  ]);
  return [plannedFile(PATHS.bpfMount, contents, { isUnitFile: true })];
}
