import { PATHS } from "../lib/paths.ts";
import type { PlannedFile } from "../plan/plan.ts";
import type { Node } from "../resolve/node.ts";
import { plannedFile } from "./file.ts";

/** The cluster's CA, byte for byte as it was decoded. */
export function renderCertificateAuthority(node: Node): PlannedFile {
  return plannedFile(PATHS.certificateAuthority, node.cluster.certificateAuthority.value);
}
