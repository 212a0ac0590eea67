import type { NodeConfig } from "../config/node-config.ts";
import type { HostFacts } from "./facts.ts";
import type { AddNote } from "./notes.ts";

/**
 * bootstrap.sh mounted /sys/fs/bpf by a unit of its own. Since 238 systemd mounts it at boot by itself, and refuses a unit
 * for it; every image that the agent runs on has a later one. So there is nothing to write, and something to say where
 * the file system is wanted and missing.
 */
export function noteBpfFileSystem(config: NodeConfig, host: HostFacts, addNote: AddNote): void {
  if (host.bpfMounted || config.instance.mountBpfFs?.value === false) return;
  addNote("bpf-not-mounted", "No BPF file system is mounted at /sys/fs/bpf, where systemd mounts one at boot if the kernel has it. Network plugins that pin BPF programs need it: see `findmnt /sys/fs/bpf`, and mount it by /etc/fstab or `mount -t bpf bpf /sys/fs/bpf`.");
}
