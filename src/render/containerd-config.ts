import type { JsonObject } from "../lib/json.ts";
import { mergeJson } from "../lib/merge-json.ts";
import { PATHS } from "../lib/paths.ts";
import { sourced } from "../lib/sourced.ts";
import { printToml } from "../lib/toml.ts";
import type { PlannedFile } from "../plan/plan.ts";
import type { Node } from "../resolve/node.ts";
import { plannedFile } from "./file.ts";

const SANDBOX_IMAGE_PLACE = "SANDBOX_IMAGE";

/** containerd's configuration: the agent's own with the user's merged in, or the text that replaces it. */
export function renderContainerdConfig(node: Node): PlannedFile {
  const { replacement } = node.containerd;
  const contents = replacement === undefined ? ownConfig(node) : replacement.value.replaceAll(SANDBOX_IMAGE_PLACE, () => node.sandboxImage.value);
  return plannedFile(PATHS.containerdConfig, contents);
}

function ownConfig(node: Node): string {
  const plugins = node.containerd.configVersion.value === 3 ? pluginsOfVersion3(node) : pluginsOfVersion2(node);
  const config: JsonObject = {
    version: node.containerd.configVersion.value,
    root: "/var/lib/containerd",
    state: "/run/containerd",
    imports: ["/etc/containerd/config.d/*.toml"],
    grpc: { address: PATHS.containerdSocket },
    plugins,
  };
  return printToml(mergeJson([sourced(config, "default"), ...node.containerd.config]).value);
}

function pluginsOfVersion2(node: Node): JsonObject {
  return {
    "io.containerd.grpc.v1.cri": {
      sandbox_image: node.sandboxImage.value,
      ...cdi(node),
      cni: CNI,
      containerd: { default_runtime_name: node.containerd.runtime.value, discard_unpacked_layers: true, runtimes: runtimes(node) },
      registry: REGISTRY,
    },
  };
}

function pluginsOfVersion3(node: Node): JsonObject {
  return {
    "io.containerd.cri.v1.images": {
      discard_unpacked_layers: true,
      pinned_images: { sandbox: node.sandboxImage.value },
      registry: REGISTRY,
    },
    "io.containerd.cri.v1.runtime": {
      ...cdi(node),
      cni: CNI,
      containerd: { default_runtime_name: node.containerd.runtime.value, runtimes: runtimes(node) },
    },
  };
}

const CNI: JsonObject = { bin_dir: "/opt/cni/bin", conf_dir: "/etc/cni/net.d" };
const REGISTRY: JsonObject = { config_path: "/etc/containerd/certs.d:/etc/docker/certs.d" };

function cdi({ containerd }: Node): JsonObject {
  return containerd.enableCdi ? { enable_cdi: true } : {};
}

function runtimes({ containerd }: Node): JsonObject {
  const program: JsonObject = containerd.runtime.value === "nvidia" ? { BinaryName: "/usr/bin/nvidia-container-runtime" } : {};
  return {
    [containerd.runtime.value]: {
      runtime_type: "io.containerd.runc.v2",
      base_runtime_spec: PATHS.containerdBaseSpec,
      options: { ...program, SystemdCgroup: true },
    },
  };
}
