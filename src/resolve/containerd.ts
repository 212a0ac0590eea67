import type { NodeConfig } from "../config/node-config.ts";
import type { JsonObject } from "../lib/json.ts";
import { PATHS } from "../lib/paths.ts";
import { type Sourced, sourced } from "../lib/sourced.ts";
import { resolveRuntime } from "./accelerator.ts";
import type { Answer, Facts, HostFacts, ProgramVersion } from "./facts.ts";
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
  const answer = facts.containerdVersion ?? { failure: "it was not asked for" };
  return {
    configVersion: resolveConfigVersion(answer, addNote),
    runtime: resolveRuntime(host, addNote),
    enableCdi: version.minor >= CDI_SINCE,
    replacement: resolveReplacement(config, host, addNote),
    config: config.containerd.config,
    baseRuntimeSpec: config.containerd.baseRuntimeSpec,
    unitHasSlice: hasSlice(host),
    versionText: "value" in answer ? answer.value.version : "unknown",
  };
}

function resolveConfigVersion(answer: Answer<ProgramVersion>, addNote: AddNote): Sourced<2 | 3> {
  if ("failure" in answer) return oldestVersion(answer.failure, addNote);
  const { version, source } = answer.value;
  const major = /^v?(\d+)\./.exec(version)?.[1];
  if (major === undefined) return oldestVersion(`${JSON.stringify(version)} from ${source} is no version`, addNote);
  return sourced(Number(major) >= 2 ? 3 : 2, `containerd ${version} (${source})`);
}

function oldestVersion(why: string, addNote: AddNote): Sourced<2> {
  addNote("containerd-version-unknown", `containerd's version is not known (${why}), so its config is written in version 2, which 1.x and 2.x read.`);
  return sourced(2, "default, containerd's version is not known");
}

/** The operator's file, else the image's. */
function resolveReplacement(config: NodeConfig, host: HostFacts, addNote: AddNote): Sourced<string> | undefined {
  const ofImage = host.files[PATHS.imageContainerdConfig];
  const replacement = config.containerd.configFile ?? (ofImage === undefined ? undefined : sourced(ofImage, PATHS.imageContainerdConfig));
  const unused = config.containerd.config.map(({ source }) => source);
  if (replacement !== undefined && unused.length > 0) {
    addNote("containerd-config-unused", `The settings for containerd from ${unused.join(", ")} have no effect: ${replacement.source} replaces the agent's configuration of it, and they are merged into that alone.`);
  }
  return replacement;
}

/** The unit in force is the first: systemd's own order of directories. */
function hasSlice(host: HostFacts): boolean {
  const path = CONTAINERD_UNITS.find((unit) => host.files[unit] !== undefined);
  return path !== undefined && /^\s*Slice\s*=\s*runtime\.slice\s*$/m.test(host.files[path] ?? "");
}
