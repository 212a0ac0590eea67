import { digestContents } from "../lib/digest.ts";
import { compareUnits } from "./compare-units.ts";
import { BEING_WRITTEN } from "./next-manifest.ts";
import type { Change, ComparedFile, Comparison, Manifest, Observed, ObservedFile, Plan, PlannedFile } from "./plan.ts";

/** Numeric owner and group of a file. */
export type Owner = { readonly uid: number; readonly gid: number };

export const ROOT: Owner = { uid: 0, gid: 0 };

/**
 * What differs between plan and machine, and the steps from one to the other: writes in plan order, removals,
 * daemon-reload, enable, and the units in plan order. A plan without units, as for an image being built, has no step
 * that needs systemd.
 *
 * @param owner who shall own the files; other than root only where a user works below `--root`
 */
export function compare(plan: Plan, observed: Observed, owner: Owner = ROOT): Comparison {
  const planned = plan.files.map((file) => comparePlanned(file, beforeOf(file.path, observed), owner));
  const files = [...planned, ...leftBehind(plan, observed)];
  const fileChanges = files.flatMap((file) => changeOf(file, observed.manifest));
  return { files, changes: [...fileChanges, ...compareUnits(plan, observed, fileChanges)] };
}

/** Managed paths at which there is a directory: no file can take its place, and it may hold someone's data. */
export function directoriesInTheWay(changes: readonly Change[]): readonly string[] {
  return changes.flatMap((change) => (change.kind === "write-file" && isDirectory(change.before) ? [change.file.path] : []));
}

function comparePlanned(planned: PlannedFile, before: ObservedFile, owner: Owner): ComparedFile {
  return { path: planned.path, state: stateOf(planned, before, owner), planned, before };
}

function stateOf(planned: PlannedFile, before: ObservedFile, owner: Owner): ComparedFile["state"] {
  switch (before.kind) {
    case "absent":
      return "new";
    case "unreadable":
      return "unknown";
    case "symlink":
    case "other":
      return "changed";
    case "file":
      return hasSameAccess(planned, before, owner) && hasSameContents(planned, before.contents) ? "unchanged" : "changed";
  }
}

function hasSameAccess(planned: PlannedFile, before: ObservedFile & { kind: "file" }, owner: Owner): boolean {
  return before.mode === planned.mode && before.uid === owner.uid && before.gid === owner.gid;
}

function hasSameContents(planned: PlannedFile, contents: string): boolean {
  return contents === planned.contents || digestContents(contents, planned.comparedAs) === digestContents(planned.contents, planned.comparedAs);
}

/** What an earlier run wrote and this one does not plan, where it still exists. Nothing else is ever removed. */
function leftBehind(plan: Plan, observed: Observed): ComparedFile[] {
  const planned = new Set(plan.files.map(({ path }) => path));
  return Object.keys(observed.manifest.files)
    .filter((path) => !planned.has(path))
    .map((path) => ({ path, state: "removed" as const, planned: undefined, before: beforeOf(path, observed) }))
    .filter(({ before }) => before.kind !== "absent" && !isDirectory(before));
}

function changeOf({ path, state, planned, before }: ComparedFile, manifest: Manifest): Change[] {
  if (state === "unchanged") return [];
  if (planned === undefined) return [{ kind: "remove-file", path, before, isUnitFile: isUnitPath(path) }];
  return [{ kind: "write-file", file: planned, before, isDrift: isDrift(planned, before, manifest) }];
}

/** Whether someone changed the file since the agent wrote it. */
function isDrift(planned: PlannedFile, before: ObservedFile, manifest: Manifest): boolean {
  const recorded = manifest.files[planned.path];
  if (recorded === undefined || recorded === BEING_WRITTEN || before.kind === "unreadable") return false;
  return before.kind !== "file" || digestContents(before.contents, planned.comparedAs) !== recorded;
}

/** The manifest does not say what a file was; only here do unit files and drop-ins lie. */
function isUnitPath(path: string): boolean {
  return path.startsWith("/etc/systemd/system/");
}

function isDirectory(before: ObservedFile): boolean {
  return before.kind === "other" && before.what === "directory";
}

/** A path that was not looked at, as with replayed facts, holds nothing. */
function beforeOf(path: string, observed: Observed): ObservedFile {
  return observed.files.get(path) ?? { kind: "absent" };
}
