import type { ContainerdConfig, NodeConfig } from "../config/node-config.ts";
import type { JsonObject } from "../lib/json.ts";
import type { MergedJson } from "../lib/merge-json.ts";
import { PATHS } from "../lib/paths.ts";
import { type Sourced, sourced } from "../lib/sourced.ts";
import { resolveRuntime } from "./accelerator.ts";
import { resolveContainerdConfig, sandboxImageIn } from "./containerd-config.ts";
import { isForVersion3, userContainerdConfig } from "./containerd-user-config.ts";
import type { Answer, Facts, HostFacts, ProgramVersion } from "./facts.ts";
import { resolveSnapshotter } from "./fast-image-pull.ts";
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
  readonly snapshotter: Sourced<"overlayfs" | "soci">;
  /** With the operator's settings merged in; of no account where there is a replacement. */
  readonly config: MergedJson;
  /** Text used instead of the agent's own config, SANDBOX_IMAGE not yet replaced. */
  readonly replacement: Sourced<string> | undefined;
  /** Who wrote what the agent did not: for the message when containerd refuses it. */
  readonly configSources: readonly string[];
  readonly baseRuntimeSpec: readonly Sourced<JsonObject>[];
  /** The operator's settings name their own. */
  readonly sandboxImage: Sourced<string>;
  /** Whether the image's own unit already runs it in runtime.slice. */
  readonly unitHasSlice: boolean;
  /** For the unit's digest: another program needs a restart. */
  readonly versionText: string;
};

export type ContainerdInputs = {
  readonly config: NodeConfig;
  readonly facts: Facts;
  readonly host: HostFacts;
  readonly version: KubeletVersion;
  /** The agent's. */
  readonly sandboxImage: Sourced<string>;
};

/** @throws AgentError "config-invalid" for settings of containerd 2 beside containerd 1 */
export function resolveContainerd({ config: { containerd: asked, ...config }, facts, host, version, sandboxImage }: ContainerdInputs, addNote: AddNote): Containerd {
  const answer = facts.containerdVersion ?? { failure: "it was not asked for" };
  const configVersion = resolveConfigVersion(answer, asked.config, addNote);
  const versionText = "value" in answer ? answer.value.version : "unknown";
  const replacement = resolveReplacement(asked, host, addNote);
  const user = replacement === undefined ? userContainerdConfig(asked.config, configVersion.value, `containerd ${versionText}`, addNote) : [];
  const runtime = resolveRuntime(host, addNote);
  const snapshotter = resolveSnapshotter(config.features, host, replacement, addNote);
  const values = { runtime: runtime.value, snapshotter: snapshotter.value, enableCdi: version.minor >= CDI_SINCE, sandboxImage };
  return {
    configVersion,
    runtime,
    snapshotter,
    config: resolveContainerdConfig({ ...values, version: configVersion.value, user }),
    replacement,
    configSources: (replacement === undefined ? user : [replacement]).map(({ source }) => source),
    baseRuntimeSpec: asked.baseRuntimeSpec,
    sandboxImage: user.map((layer) => sandboxImageIn(layer, configVersion.value)).findLast((image) => image !== undefined) ?? sandboxImage,
    unitHasSlice: hasSlice(host),
    versionText,
  };
}

function resolveConfigVersion(answer: Answer<ProgramVersion>, user: readonly Sourced<JsonObject>[], addNote: AddNote): Sourced<2 | 3> {
  if ("failure" in answer) return likelyVersion(answer.failure, user, addNote);
  const { version, source } = answer.value;
  const major = /^v?(\d+)\./.exec(version)?.[1];
  if (major === undefined) return likelyVersion(`${JSON.stringify(version)} from ${source} is no version`, user, addNote);
  return sourced(Number(major) >= 2 ? 3 : 2, `containerd ${version} (${source})`);
}

/** The oldest, unless the operator wrote for containerd 2. */
function likelyVersion(why: string, user: readonly Sourced<JsonObject>[], addNote: AddNote): Sourced<2 | 3> {
  const newer = user.find(isForVersion3);
  if (newer !== undefined) {
    addNote("containerd-version-unknown", `containerd's version is not known (${why}), so its config is written in version 3, for which the settings from ${newer.source} are.`);
    return sourced(3, newer.source);
  }
  addNote("containerd-version-unknown", `containerd's version is not known (${why}), so its config is written in version 2, which 1.x and 2.x read.`);
  return sourced(2, "default, containerd's version is not known");
}

/** The operator's file, else the image's. */
function resolveReplacement({ configFile, config }: ContainerdConfig, host: HostFacts, addNote: AddNote): Sourced<string> | undefined {
  const ofImage = host.files[PATHS.imageContainerdConfig];
  const replacement = configFile ?? (ofImage === undefined ? undefined : sourced(ofImage, PATHS.imageContainerdConfig));
  const unused = config.map(({ source }) => source);
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
