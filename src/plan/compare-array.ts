import { refuseDisks, refuseOtherArray } from "./disk-refusals.ts";
import type { Change, ComparisonNote, DiskContents, ObservedArray, ObservedDisk, ObservedDisks, PlannedDisks, PlannedVolume } from "./plan.ts";

/** Of the array, as the peers call theirs. */
export const ARRAY_NAME = "kubernetes";

/** Where it is to be found after it has been created or assembled. */
export const ARRAY_DEVICE = `/dev/md/${ARRAY_NAME}`;

/** The steps to file systems that can be mounted, and which ones those are. */
export type FileSystemSteps = {
  readonly steps: readonly Change[];
  readonly notes: readonly ComparisonNote[];
  readonly volumes: readonly MountableVolume[];
};

/** @param number of the device that has its file system; undefined where that is to be made */
export type MountableVolume = { readonly volume: PlannedVolume; readonly number: string | undefined };

/**
 * One array of all disks with a file system of the agent's.
 *
 * @throws AgentError "disks-in-use" when a disk holds anything but a part of that very array
 */
export function compareArray({ volumes }: PlannedDisks, level: "raid0" | "raid10", { disks }: ObservedDisks): FileSystemSteps {
  refuseDisks(disks.filter((disk) => !isBlank(disk) && !isMember(disk)));
  const arrays = disks.flatMap(({ holds }) => (holds.kind === "array-member" ? [holds.array] : []));
  const [array] = arrays;
  const make = (steps: readonly Change[], notes: readonly ComparisonNote[] = []): FileSystemSteps => ({ steps, notes, volumes: volumes.map((volume) => ({ volume, number: array?.isRunning === true ? array.number : undefined })) });
  if (array === undefined) return make(anew(volumes, level, disks, undefined));
  refuseOtherArray(arrays, level, disks);
  const isWhole = arrays.length === disks.length;
  const notes = isWhole ? [] : [degraded(disks)];
  if (array.isRunning) return make(compareFileSystem(volumes, array), notes);
  if (!isWhole && level === "raid0") return make(anew(volumes, level, disks, array.device), [lost(disks)]);
  return make([{ kind: "assemble-array", devices: disks.filter(isMember).map(({ device }) => device), stop: array.device }], notes);
}

/** All of it: what earlier arrays have left can be of no use to anyone. */
function anew(volumes: readonly PlannedVolume[], level: "raid0" | "raid10", disks: readonly ObservedDisk[], stop: string | undefined): readonly Change[] {
  const devices = disks.map(({ device }) => device);
  const leftovers = disks.filter(isMember).map(({ device }) => device);
  return [{ kind: "create-array", level, devices, leftovers, stop }, ...volumes.map(({ label }) => ({ kind: "make-file-system", device: ARRAY_DEVICE, label }) as const)];
}

function compareFileSystem(volumes: readonly PlannedVolume[], { holds, device = ARRAY_DEVICE, number = "" }: ObservedArray): readonly Change[] {
  if (volumes.every((volume) => isOwn(holds, volume))) return [];
  if (holds.kind !== "nothing") refuseDisks([{ device, number, holds, mountPoint: undefined }]);
  return volumes.map(({ label }) => ({ kind: "make-file-system", device, label }));
}

/** By its label: nobody else calls one so. */
export function isOwn(holds: DiskContents, { label }: PlannedVolume): boolean {
  return holds.kind === "file-system" && holds.type === "xfs" && holds.label === label;
}

export function isBlank({ holds }: ObservedDisk): boolean {
  return holds.kind === "nothing";
}

function isMember({ holds }: ObservedDisk): boolean {
  return holds.kind === "array-member" && holds.array.name === ARRAY_NAME;
}

function degraded(disks: readonly ObservedDisk[]): ComparisonNote {
  const blank = disks.filter(isBlank).map(({ device }) => device);
  return { code: "array-degraded", message: `The array ${ARRAY_NAME} runs without ${blank.join(", ")}, which ${blank.length === 1 ? "is" : "are"} new and blank: its data have fewer copies than they should. Replace the node, or see \`mdadm --manage --add\`.` };
}

function lost(disks: readonly ObservedDisk[]): ComparisonNote {
  const blank = disks.filter(isBlank).map(({ device }) => device);
  return { code: "array-lost", message: `The array ${ARRAY_NAME} is lost, since ${blank.join(", ")} came back blank and RAID 0 has no second copy: what ${disks.filter(isMember).map(({ device }) => device).join(", ")} still has of it is of no use, and it is made anew.` };
}
