import { printJson } from "../lib/json.ts";
import { PATHS } from "../lib/paths.ts";
import type { PlannedFile } from "../plan/plan.ts";
import type { Node } from "../resolve/node.ts";
import { plannedFile } from "./file.ts";

/** Compared as a value: eksctl's script rewrites the file with jq after the bootstrap. */
export function renderKubeletConfig(node: Node): PlannedFile {
  return plannedFile(PATHS.kubeletConfig, printJson(node.kubeletConfig.value), { comparedAs: "json" });
}
