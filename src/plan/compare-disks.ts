import type { Mount } from "../lib/mount-info.ts";
import { compareArray, type MountableVolume } from "./compare-array.ts";
import { compareSingleDisks } from "./compare-single-disks.ts";
import { refuseMount, refuseOtherVolume } from "./disk-refusals.ts";
import type { Change, ComparisonNote, Observed, ObservedDisks, Plan, PlannedDirectory, PlannedVolume } from "./plan.ts";

/** The steps that disks need, in their order. */
export type DiskSteps = {
  /** The next boot tries to mount all of it, however far this run comes. */
  readonly units: readonly Change[];
  /** Until every planned file system can be mounted. */
  readonly fileSystems: readonly Change[];
  /** Until everything is in its place. */
  readonly mounts: readonly Change[];
  readonly notes: readonly ComparisonNote[];
};

const NO_DISK_STEPS: DiskSteps = { units: [], fileSystems: [], mounts: [], notes: [] };

/**
 * What it takes to have the disks as planned, from what is on them and from what is mounted: nothing else is remembered of
 * earlier runs.
 *
 * @throws AgentError "disks-in-use" when what is on them, or in the directories that are to move, must not be touched
 */
export function compareDisks(plan: Plan, observed: Observed): DiskSteps {
  const { disks } = plan;
  if (disks === undefined) return NO_DISK_STEPS;
  // Facts of another machine: its disks are taken for new.
  const found = observed.disks ?? { disks: disks.devices.map((device) => ({ device, number: "", holds: { kind: "nothing" }, mountPoint: undefined })), mounts: [] };
  const { steps, notes, volumes } = disks.layout === "mount" ? compareSingleDisks(disks, found) : compareArray(disks, disks.layout, found);
  const directories = disks.directories.filter((directory) => !isInPlace(directory, volumes, found));
  for (const one of volumes) refuseOtherVolume(one, lastAt(found.mounts, one.volume.mountPoint));
  for (const directory of directories) refuseMount(directory, found.mounts);
  const units = [...volumes.map(({ volume }) => volume), ...disks.directories].map(({ unit }) => unit);
  return {
    units: units.filter((unit) => observed.units.get(unit)?.unitFileState !== "enabled").map((unit) => ({ kind: "enable-unit", unit })),
    fileSystems: steps,
    mounts: [...volumes.flatMap(({ volume }) => mountVolume(volume, found)), ...moveDirectories(directories, observed)],
    notes,
  };
}

function mountVolume({ unit, mountPoint }: PlannedVolume, { mounts }: ObservedDisks): readonly Change[] {
  return mounts.some((mount) => mount.mountPoint === mountPoint) ? [] : [{ kind: "mount", unit, mountPoint }];
}

/** Whoever has files open in one of them is stopped before the first is copied, and what is planned is started when all is done. */
function moveDirectories(moved: readonly PlannedDirectory[], observed: Observed): readonly Change[] {
  return [
    ...usersOf(moved).filter((unit) => isUp(unit, observed)).map((unit) => ({ kind: "stop-unit", unit, reason: reasonToStop(unit, moved) }) as const),
    ...moved.map(({ path, source }) => ({ kind: "copy-directory", from: path, to: source }) as const),
    ...moved.map(({ unit, path }) => ({ kind: "mount", unit, mountPoint: path }) as const),
  ];
}

/** The longest list has all, in their order. */
function usersOf(directories: readonly PlannedDirectory[]): readonly string[] {
  return [...new Set(directories.toSorted((one, other) => other.users.length - one.users.length).flatMap(({ users }) => users))];
}

function isUp(unit: string, { units }: Observed): boolean {
  return !["inactive", "failed", undefined].includes(units.get(unit)?.activeState);
}

function reasonToStop(unit: string, moved: readonly PlannedDirectory[]): string {
  return `uses ${moved.filter(({ users }) => users.includes(unit)).map(({ path }) => path).join(", ")}`;
}

function isInPlace({ path, source }: PlannedDirectory, volumes: readonly MountableVolume[], { mounts }: ObservedDisks): boolean {
  const top = lastAt(mounts, path);
  return top !== undefined && volumes.some(({ volume, number }) => top.device === number && top.root === source.slice(volume.mountPoint.length));
}

function lastAt(mounts: readonly Mount[], path: string): Mount | undefined {
  return mounts.findLast(({ mountPoint }) => mountPoint === path);
}
