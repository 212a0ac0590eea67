import type { FeatureConfig } from "../config/node-config.ts";
import { PATHS } from "../lib/paths.ts";
import { type Sourced, sourced } from "../lib/sourced.ts";
import { type HostFacts, SOCI_UNITS } from "./facts.ts";
import type { AddNote } from "./notes.ts";

/** The least that parallel pulling and unpacking is worth its load on; nodeadm's measure. */
const LEAST_CPUS = 4;
const LEAST_MEMORY_MIB = 7 * 1024;

/** What unpacks the layers of images: with the feature gate FastImagePull the SOCI snapshotter, on instances that bear it. */
export function resolveSnapshotter({ fastImagePull: gate }: FeatureConfig, host: HostFacts, replacement: Sourced<string> | undefined, addNote: AddNote): Sourced<"overlayfs" | "soci"> {
  if (gate?.value !== true) return sourced("overlayfs", gate?.source ?? "default");
  const obstacle = obstacleOf(host, replacement);
  if (obstacle === undefined) return sourced("soci", gate.source);
  addNote("no-fast-image-pull", `Images are pulled in containerd's own way, although ${gate.source} asks for FastImagePull: ${obstacle}.`);
  return sourced("overlayfs", "default");
}

/** Where kubelet asks for images: SOCI keeps the credentials that kubelet pulls with. */
export function imageServiceEndpoint({ value, source }: Sourced<"overlayfs" | "soci">): Sourced<string> | undefined {
  return value === "soci" ? sourced(`unix://${PATHS.sociSocket}`, source) : undefined;
}

function obstacleOf({ cpus, memoryMiB, present }: HostFacts, replacement: Sourced<string> | undefined): string | undefined {
  if (cpus < LEAST_CPUS || memoryMiB < LEAST_MEMORY_MIB) {
    return `that takes ${LEAST_CPUS} CPUs and ${LEAST_MEMORY_MIB} MiB of memory, and this instance has ${cpus} and ${memoryMiB}`;
  }
  if (!SOCI_UNITS.some((path) => present.includes(path))) return "the image has no soci-snapshotter.service";
  if (replacement !== undefined) return `${replacement.source} replaces the agent's ${PATHS.containerdConfig}, which would name the SOCI snapshotter`;
  return undefined;
}
