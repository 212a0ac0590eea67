import { digestContents, digestParts } from "../lib/digest.ts";
import type { Plan, PlannedFile, PlannedUnit } from "./plan.ts";

/**
 * What the unit's program is started with: the files it reads, as they will be, and the rest. A unit that was started with
 * another digest must be restarted; "did this run change a file" would lose the restart when a run dies in between.
 */
export function unitDigest(plan: Plan, unit: PlannedUnit): string {
  return digestParts([...unit.reads.map((path) => `${path} ${plannedDigest(plan, path)}`), ...unit.startedWith]);
}

export function fileDigest(file: PlannedFile): string {
  const known = digests.get(file);
  if (known !== undefined) return known;
  const digest = digestContents(file.contents, file.comparedAs);
  digests.set(file, digest);
  return digest;
}

/** Each file's is asked for several times in a run. */
const digests = new WeakMap<PlannedFile, string>();

function plannedDigest(plan: Plan, path: string): string {
  const file = plan.files.find((planned) => planned.path === path);
  return file === undefined ? "absent" : fileDigest(file);
}
