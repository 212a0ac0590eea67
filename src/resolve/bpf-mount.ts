import type { NodeConfig } from "../config/node-config.ts";
import { PATHS } from "../lib/paths.ts";
import { BPF_MOUNT_UNITS, type HostFacts } from "./facts.ts";

/** In the unit's description: by it the agent's own is told from one that others put in the same place. */
export const BPF_MOUNT_MARK = "(eks-node-agent)";

/**
 * Whether /sys/fs/bpf is mounted by a unit of the agent's: unless it is mounted already, or has a unit, by whoever. Once it
 * is there by the agent's own unit, that must stay.
 */
export function needsBpfMount(config: NodeConfig, host: HostFacts): boolean {
  if (config.instance.mountBpfFs?.value === false) return false;
  const unit = host.files[PATHS.bpfMount];
  if (unit !== undefined) return unit.includes(BPF_MOUNT_MARK);
  return !host.bpfMounted && !BPF_MOUNT_UNITS.some((path) => host.present.includes(path));
}
