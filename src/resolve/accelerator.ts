import { type Sourced, sourced } from "../lib/sourced.ts";
import type { HostFacts } from "./facts.ts";
import { type KeyedItem, keyedItem, NODE_LABELS } from "./keyed-list.ts";
import type { KubeletVersion } from "./kubelet-version.ts";
import type { AddNote } from "./notes.ts";

const GPU_LABEL = "nvidia.com/gpu.present=true";
const GPU_LABEL_SINCE = 35;

/** containerd's default runtime: by device and program, never by the instance type's name. */
export function resolveRuntime(host: HostFacts, addNote: AddNote): Sourced<"runc" | "nvidia"> {
  const program = nvidiaRuntime(host);
  if (program !== undefined) return sourced("nvidia", `NVIDIA device and ${program}`);
  if (host.nvidiaDevice) addNote("no-nvidia-runtime", "There is an NVIDIA device, but not /usr/bin/nvidia-container-runtime, so containers run with runc and do not see the device.");
  return sourced("runc", "default");
}

export function acceleratorLabels(host: HostFacts, version: KubeletVersion): readonly KeyedItem[] {
  if (nvidiaRuntime(host) === undefined || version.minor < GPU_LABEL_SINCE) return [];
  return [keyedItem(NODE_LABELS, GPU_LABEL, "NVIDIA device")];
}

function nvidiaRuntime(host: HostFacts): string | undefined {
  return host.nvidiaDevice ? host.programs["nvidia-container-runtime"] : undefined;
}
