import { digestContents } from "../lib/digest.ts";
import { inOrder, seenAfter } from "./around-disks.ts";
import { changeOfBlock, compareBlocks } from "./compare-blocks.ts";
import { compareDisks } from "./compare-disks.ts";
import { BEING_WRITTEN } from "./next-manifest.ts";
import { type Owner, ROOT } from "./owner.ts";
import type { Change, ComparedFile, Comparison, Manifest, Observed, ObservedFile, Plan, PlannedFile, UnwantedFile } from "./plan.ts";

/**
 * What differs between plan and machine, and the steps from one to the other: local disks, writes in plan order,
 * removals, blocks, daemon-reload, enable, and the units in plan order. A plan without units, as for an image being built, has no step
 * that needs systemd.
 *
 * @throws AgentError "disks-in-use" when local disks cannot be had as planned
 * @param owner who shall own the files; other than root only where a user works below `--root`
 */
export function compare(plan: Plan, observed: Observed, owner: Owner = ROOT): Comparison {
  const disks = compareDisks(plan, observed);
  const seen = seenAfter(observed, disks);
  const planned = plan.files.map((file) => comparePlanned(file, beforeOf(file.path, seen), owner));
  const files = [...planned, ...leftBehind(plan, seen), ...ofNoUse(plan, seen)];
  const blocks = compareBlocks(plan, seen);
  const fileChanges = [...files.flatMap((file) => changeOf(file, seen.manifest)), ...blocks.flatMap(changeOfBlock)];
  return { files, blocks, changes: inOrder(plan, seen, disks, fileChanges), notes: disks.notes };
}

/** Managed paths at which there is a directory: no file can take its place, and it may hold someone's data. */
export function directoriesInTheWay(changes: readonly Change[]): readonly string[] {
  return changes.flatMap((change) => {
    if (change.kind === "write-file") return isDirectory(change.before) ? [change.file.path] : [];
    return change.kind === "write-block" && isDirectory(change.before) ? [change.block.path] : [];
  });
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

/** What an earlier run wrote and this one does not plan, where it still exists. */
function leftBehind(plan: Plan, observed: Observed): ComparedFile[] {
  const planned = new Set(plan.files.map(({ path }) => path));
  return Object.keys(observed.manifest.files)
    .filter((path) => !planned.has(path))
    .map((path) => ({ path, state: "removed" as const, planned: undefined, before: beforeOf(path, observed) }))
    .filter(({ before }) => before.kind !== "absent" && !isDirectory(before));
}

/** What another program made, and the plan says of when it is of no use. Apart from what the agent wrote nothing else is removed. */
function ofNoUse(plan: Plan, observed: Observed): ComparedFile[] {
  const known = new Set([...plan.files.map(({ path }) => path), ...Object.keys(observed.manifest.files)]);
  return plan.unwanted
    .map((file) => ({ file, before: beforeOf(file.path, observed) }))
    .filter(({ file, before }) => !known.has(file.path) && isOfNoUse(file, before))
    .map(({ file, before }) => ({ path: file.path, state: "removed" as const, planned: undefined, before }));
}

/** What cannot be read is the other program's own, which it lets nobody else read. */
function isOfNoUse({ unless }: UnwantedFile, before: ObservedFile): boolean {
  if (before.kind === "symlink") return true;
  if (before.kind !== "file") return false;
  const lines = before.contents.split("\n").map((line) => line.trim());
  return !lines.includes(unless.hasLine) || lines.includes(unless.lacksLine);
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

/** The manifest does not say what a file was; only here does lie what systemd reads when it is told to reload. */
function isUnitPath(path: string): boolean {
  return ["/etc/systemd/system/", "/etc/systemd/system.conf.d/"].some((directory) => path.startsWith(directory));
}

function isDirectory(before: ObservedFile): boolean {
  return before.kind === "other" && before.what === "directory";
}

/** A path that was not looked at, as with replayed facts, holds nothing. */
function beforeOf(path: string, observed: Observed): ObservedFile {
  return observed.files.get(path) ?? { kind: "absent" };
}
