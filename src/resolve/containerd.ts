import type { NodeConfig } from "../config/node-config.ts";
import type { JsonObject } from "../lib/json.ts";
import { PATHS } from "../lib/paths.ts";
import { type Sourced, sourced } from "../lib/sourced.ts";
import type { Facts, HostFacts } from "./facts.ts";
import type { KubeletVersion } from "./kubelet-version.ts";
import type { AddNote } from "./notes.ts";

const CONTAINERD_UNITS = ["/etc/systemd/system/containerd.service", "/usr/lib/systemd/system/containerd.service", "/lib/systemd/system/containerd.service"] as const;

/** Container Device Interface is on by default in kubelet's view of the runtime from here. */
const CDI_SINCE = 32;

/** What decides containerd's files. */
export type Containerd = {
  /** Format of config.toml: 3 from containerd 2.0 on. */
  readonly configVersion: Sourced<2 | 3>;
  readonly runtime: Sourced<"runc" | "nvidia">;
  readonly enableCdi: boolean;
  /** Text used instead of the agent's own config, SANDBOX_IMAGE not yet replaced. */
  readonly replacement: Sourced<string> | undefined;
  readonly config: readonly Sourced<JsonObject>[];
  readonly baseRuntimeSpec: readonly Sourced<JsonObject>[];
  /** Whether the image's own unit already runs it in runtime.slice. */
  readonly unitHasSlice: boolean;
  /** For the unit's digest: another program needs a restart. */
  readonly versionText: string;
};

export function resolveContainerd(config: NodeConfig, facts: Facts, host: HostFacts, version: KubeletVersion, addNote: AddNote): Containerd {
  const ofImage = host.files[PATHS.imageContainerdConfig];
  return {
    configVersion: resolveConfigVersion(facts, addNote),
    runtime: resolveRuntime(host),
    enableCdi: version.minor >= CDI_SINCE,
    replacement: config.containerd.configFile ?? (ofImage === undefined ? undefined : sourced(ofImage, PATHS.imageContainerdConfig)),
    config: config.containerd.config,
    baseRuntimeSpec: config.containerd.baseRuntimeSpec,
    unitHasSlice: hasSlice(host),
    versionText: facts.containerdVersion !== undefined && "value" in facts.containerdVersion ? facts.containerdVersion.value.version : "unknown",
  };
}

function resolveConfigVersion(facts: Facts, addNote: AddNote): Sourced<2 | 3> {
  const answer = facts.containerdVersion;
  const text = answer !== undefined && "value" in answer ? answer.value.version : "";
  const major = /^v?(\d+)\./.exec(text)?.[1];
  if (major !== undefined && answer !== undefined && "value" in answer) {
    return sourced(Number(major) >= 2 ? 3 : 2, `containerd ${text} (${answer.value.source})`);
  }
  const why = answer !== undefined && "failure" in answer ? answer.failure : `${JSON.stringify(text)} is no version`;
  addNote("containerd-version-unknown", `containerd's version is not known (${why}), so its config is written in version 2, which 1.x and 2.x read.`);
  return sourced(2, "default, containerd's version is not known");
}

/** By device and program, never by the instance type's name. */
function resolveRuntime(host: HostFacts): Sourced<"runc" | "nvidia"> {
  const program = host.programs["nvidia-container-runtime"];
  return host.nvidiaDevice && program !== undefined ? sourced("nvidia", `NVIDIA device and ${program}`) : sourced("runc", "default");
}

/** The unit in force is the first: systemd's own order of directories. */
function hasSlice(host: HostFacts): boolean {
  const path = CONTAINERD_UNITS.find((unit) => host.files[unit] !== undefined);
  return path !== undefined && /^\s*Slice\s*=\s*runtime\.slice\s*$/m.test(host.files[path] ?? "");
}
