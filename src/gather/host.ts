import { availableParallelism } from "node:os";
import type { HostFacts } from "../resolve/facts.ts";
import { gatherImage } from "./host-image.ts";
import { gatherKernel } from "./host-kernel.ts";

/** What of the host the core wants to know. */
export type HostTargets = {
  /** Names to paths: each program is at the first that is executable. */
  readonly programs: Readonly<Record<string, readonly string[]>>;
  /** Files of which the text is a fact. */
  readonly files: readonly string[];
  /** Files of which the presence is a fact. */
  readonly presence: readonly string[];
  /** Units of which it is a fact whether they are enabled. */
  readonly units: readonly string[];
  /** Dotted names of kernel settings. */
  readonly sysctls: readonly string[];
};

/**
 * Facts of this machine, and of the image below `root`.
 *
 * CPUs are those that this process may run on, memory is MemTotal: what kubelet and the peers count.
 */
export function gatherHost(root: string, targets: HostTargets): HostFacts {
  return { cpus: availableParallelism(), architecture: architecture(), ...gatherKernel(root, targets.sysctls), ...gatherImage(root, targets) };
}

function architecture(): HostFacts["architecture"] {
  return process.arch === "arm64" ? "aarch64" : "x86_64";
}
