import { posix } from "node:path";
import type { JsonObject } from "../lib/json.ts";
import { PATHS } from "../lib/paths.ts";
import { printToml } from "../lib/toml.ts";
import { printUnitFile, type UnitSetting } from "../lib/unit-file.ts";
import type { PlannedFile } from "../plan/plan.ts";
import type { Node } from "../resolve/node.ts";
import { plannedFile } from "./file.ts";

/** The SOCI snapshotter's own configuration; no file where containerd does not use it. */
export function renderSociConfig({ containerd }: Node): readonly PlannedFile[] {
  return containerd.snapshotter.value === "soci" ? [plannedFile(PATHS.sociConfig, printToml(SOCI_CONFIG))] : [];
}

/** containerd with the SOCI snapshotter: not without it, and not before it answers. */
export function renderContainerdSoci(node: Node): readonly PlannedFile[] {
  if (node.containerd.snapshotter.value !== "soci") return [];
  const unit: readonly UnitSetting[] = [["Requires", "soci-snapshotter.service"], ["After", "soci-snapshotter.service"]];
  const contents = printUnitFile([["Unit", unit], ...importOfPause(node).map((setting) => ["Service", [setting]] as const)]);
  return [plannedFile(PATHS.containerdSoci, contents, { isUnitFile: true })];
}

/** Source: the values that nodeadm writes. */
const SOCI_CONFIG: JsonObject = {
  content_store: { type: "containerd" },
  cri_keychain: { enable_keychain: true, image_service_path: PATHS.containerdSocket },
  pull_modes: {
    parallel_pull_unpack: {
      enable: true,
      concurrent_download_chunk_size: "16mb",
      discard_unpacked_layers: true,
      max_concurrent_downloads: -1,
      max_concurrent_downloads_per_image: 20,
      max_concurrent_unpacks: -1,
      max_concurrent_unpacks_per_image: 12,
      decompress_streams: { gzip: { path: "/usr/bin/unpigz", args: ["-d", "-c"] } },
    },
  },
};

/**
 * The sandbox image that the image of the node carries is unpacked for another snapshotter, and no registry has it. It is imported with
 * every start of containerd, which costs little where it is there already; the dash lets containerd run on where that fails.
 */
function importOfPause({ host, containerd }: Node): readonly UnitSetting[] {
  const program = host.programs["containerd"];
  if (program === undefined || !host.present.includes(PATHS.pauseArchive)) return [];
  const how = containerd.configVersion.value === 3 ? " --local --discard-unpacked-layers=false" : "";
  return [["ExecStartPost", `-${posix.join(posix.dirname(program), "ctr")} --namespace k8s.io images import --snapshotter soci${how} ${PATHS.pauseArchive}`]];
}
