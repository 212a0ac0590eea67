import type { Sourced } from "../lib/sourced.ts";
import type { HostFacts } from "./facts.ts";
import type { AddNote } from "./notes.ts";

/** What is kept for kubelet and the container runtime. */
export type Reserved = {
  readonly cpuMillicores: number;
  readonly memoryMiB: number;
  /** Pods that the memory is counted for, and why that many. */
  readonly pods: Sourced<number>;
};

/** Share of a core in basis points, by the number of the core; the last row holds for all further ones. */
const CPU_BANDS = [
  { cores: 1, basisPoints: 600 },
  { cores: 1, basisPoints: 100 },
  { cores: 2, basisPoints: 50 },
  { cores: Number.POSITIVE_INFINITY, basisPoints: 25 },
] as const;

const MEMORY_PER_POD_MIB = 11;
const MEMORY_BASE_MIB = 255;

/**
 * CPU: 6 % of the first core, 1 % of the second, 0.5 % of the third and fourth, 0.25 % of the others.
 * Memory: 11 MiB for each pod and 255 MiB.
 * Source: bootstrap.sh and nodeadm reckon alike.
 */
export function resolveReserved(host: HostFacts, pods: Sourced<number>, addNote: AddNote): Reserved {
  const memoryMiB = reservedMemoryMiB(pods.value);
  if (memoryMiB * 2 > host.memoryMiB) {
    addNote("much-memory-reserved", `${memoryMiB} MiB of this node's ${host.memoryMiB} MiB are reserved for kubelet, reckoned for ${pods.value} pods (${pods.source}). Fewer pods, or --reserve-for effective with a lower --max-pods, leave more to the pods.`);
  }
  return { cpuMillicores: reservedMillicores(host.cpus), memoryMiB, pods };
}

/** Each band is rounded down by itself, as bootstrap.sh's integer arithmetic does. */
export function reservedMillicores(cpus: number): number {
  let left = cpus;
  let millicores = 0;
  for (const { cores, basisPoints } of CPU_BANDS) {
    const counted = Math.min(left, cores);
    millicores += Math.floor((counted * 1000 * basisPoints) / 10_000);
    left -= counted;
  }
  return millicores;
}

export function reservedMemoryMiB(pods: number): number {
  return MEMORY_PER_POD_MIB * pods + MEMORY_BASE_MIB;
}
