import type { JsonObject } from "../lib/json.ts";
import { type MergedJson, mergeJson, valueAt } from "../lib/merge-json.ts";
import { PATHS } from "../lib/paths.ts";
import { type Sourced, sourced } from "../lib/sourced.ts";
import { CRI, CRI_IMAGES, CRI_RUNTIME } from "./containerd-places.ts";

export type ContainerdConfigInputs = {
  readonly version: 2 | 3;
  readonly runtime: "runc" | "nvidia";
  readonly enableCdi: boolean;
  readonly snapshotter: "overlayfs" | "soci";
  readonly sandboxImage: Sourced<string>;
  /** The operator's, in the same version. */
  readonly user: readonly Sourced<JsonObject>[];
};

/** containerd's config.toml as data: the agent's, with the operator's merged in. */
export function resolveContainerdConfig(inputs: ContainerdConfigInputs): MergedJson {
  const config: JsonObject = {
    version: inputs.version,
    root: "/var/lib/containerd",
    state: "/run/containerd",
    imports: ["/etc/containerd/config.d/*.toml"],
    grpc: { address: PATHS.containerdSocket },
    ...(inputs.snapshotter === "soci" ? { proxy_plugins: { soci: SOCI_PLUGIN } } : {}),
    plugins: inputs.version === 3 ? pluginsOfVersion3(inputs) : pluginsOfVersion2(inputs),
  };
  return mergeJson([sourced(config, "default"), ...inputs.user]);
}

/** The sandbox image in a part of the config, if it names one. */
export function sandboxImageIn({ value, source }: Sourced<JsonObject>, version: 2 | 3): Sourced<string> | undefined {
  const image = valueAt(value, version === 3 ? ["plugins", CRI_IMAGES, "pinned_images", "sandbox"] : ["plugins", CRI, "sandbox_image"]);
  return typeof image === "string" && image !== "" ? sourced(image, source) : undefined;
}

function pluginsOfVersion2(inputs: ContainerdConfigInputs): JsonObject {
  return {
    [CRI]: {
      sandbox_image: inputs.sandboxImage.value,
      ...cdi(inputs),
      cni: CNI,
      containerd: { default_runtime_name: inputs.runtime, discard_unpacked_layers: true, ...snapshotter(inputs), runtimes: runtimes(inputs) },
      registry: REGISTRY,
    },
  };
}

function pluginsOfVersion3(inputs: ContainerdConfigInputs): JsonObject {
  return {
    [CRI_IMAGES]: {
      discard_unpacked_layers: true,
      ...snapshotter(inputs),
      pinned_images: { sandbox: inputs.sandboxImage.value },
      registry: REGISTRY,
    },
    [CRI_RUNTIME]: {
      ...cdi(inputs),
      cni: CNI,
      containerd: { default_runtime_name: inputs.runtime, runtimes: runtimes(inputs) },
    },
  };
}

const CNI: JsonObject = { bin_dir: "/opt/cni/bin", conf_dir: "/etc/cni/net.d" };
const REGISTRY: JsonObject = { config_path: "/etc/containerd/certs.d:/etc/docker/certs.d" };
const SOCI_PLUGIN: JsonObject = { type: "snapshot", address: PATHS.sociSocket, exports: { root: "/var/lib/soci-snapshotter-grpc" } };

function cdi({ enableCdi }: ContainerdConfigInputs): JsonObject {
  return enableCdi ? { enable_cdi: true } : {};
}

/** SOCI is told by annotations which image a layer is of. */
function snapshotter(inputs: ContainerdConfigInputs): JsonObject {
  return inputs.snapshotter === "soci" ? { snapshotter: "soci", disable_snapshot_annotations: false } : {};
}

function runtimes({ runtime }: ContainerdConfigInputs): JsonObject {
  const program: JsonObject = runtime === "nvidia" ? { BinaryName: "/usr/bin/nvidia-container-runtime" } : {};
  return {
    [runtime]: {
      runtime_type: "io.containerd.runc.v2",
      base_runtime_spec: PATHS.containerdBaseSpec,
      options: { ...program, SystemdCgroup: true },
    },
  };
}
