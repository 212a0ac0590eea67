import { PATHS } from "../lib/paths.ts";
import { printToml } from "../lib/toml.ts";
import type { PlannedFile } from "../plan/plan.ts";
import type { Node } from "../resolve/node.ts";
import { plannedFile } from "./file.ts";

const SANDBOX_IMAGE_PLACE = "SANDBOX_IMAGE";

/** containerd's configuration: the agent's own with the user's merged in, or the text that replaces it. */
export function renderContainerdConfig({ containerd: { replacement, config }, sandboxImage }: Node): PlannedFile {
  const contents = replacement === undefined ? printToml(config.value) : replacement.value.replaceAll(SANDBOX_IMAGE_PLACE, () => sandboxImage.value);
  return plannedFile(PATHS.containerdConfig, contents);
}
