import { compareLoaded, compareUnits } from "./compare-units.ts";
import type { DiskSteps } from "./compare-disks.ts";
import { BEING_WRITTEN } from "./next-manifest.ts";
import type { Change, Observed, ObservedFile, ObservedUnit, Plan } from "./plan.ts";

export type DiskStep = Extract<Change, { kind: (typeof DISK_STEPS)[number] }>;

const DISK_STEPS = ["create-array", "assemble-array", "make-file-system", "mount", "stop-unit", "copy-directory"] as const;

export function isDiskStep(change: Change): change is DiskStep {
  return DISK_STEPS.some((kind) => kind === change.kind);
}

/** What the rest of the run finds when the disks are in place: units that were stopped, and other files where directories are mounted. */
export function seenAfter(observed: Observed, { mounts }: DiskSteps): Observed {
  const stopped = new Map(mounts.flatMap((step) => (step.kind === "stop-unit" ? [[step.unit, step.reason] as const] : [])));
  const covered = mounts.flatMap((step) => (step.kind === "mount" ? [`${step.mountPoint}/`] : []));
  const isCovered = (path: string): boolean => covered.some((place) => path.startsWith(place));
  if (covered.length === 0) return observed;
  return {
    ...observed,
    files: new Map([...observed.files].map(([path, file]) => [path, isCovered(path) ? ABSENT : file])),
    // Nobody has changed what is only hidden.
    manifest: { ...observed.manifest, files: Object.fromEntries(Object.entries(observed.manifest.files).map(([path, digest]) => [path, isCovered(path) ? BEING_WRITTEN : digest])) },
    units: new Map([...observed.units].map(([name, unit]) => [name, stopped.has(name) ? asStopped(unit) : unit])),
  };
}

const ABSENT: ObservedFile = { kind: "absent" };

function asStopped(unit: ObservedUnit): ObservedUnit {
  return { ...unit, activeState: "inactive", subState: "stopped for the local disks" };
}

/**
 * All steps in their order. The units that keep a reboot right come before the disks that they are about, and all other files
 * after, which may lie on the disks.
 */
export function inOrder(plan: Plan, observed: Observed, { units, fileSystems, mounts }: DiskSteps, fileChanges: readonly Change[]): readonly Change[] {
  if (units.length + fileSystems.length + mounts.length === 0) return [...fileChanges, ...compareUnits(plan, observed, fileChanges)];
  const ofDisks = fileChanges.filter((change) => isOfDisks(change, plan));
  const others = fileChanges.filter((change) => !isOfDisks(change, plan));
  return [...ofDisks, ...compareLoaded(plan, observed, ofDisks), ...units, ...fileSystems, ...mounts, ...others, ...compareUnits(plan, observed, others)];
}

function isOfDisks(change: Change, { disks }: Plan): boolean {
  return change.kind === "write-file" && disks?.unitFiles.includes(change.file.path) === true;
}
