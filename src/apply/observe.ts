import { closeSync, constants, fstatSync, lstatSync, openSync, readFileSync, readlinkSync, type Stats } from "node:fs";
import { AgentError, isErrno } from "../errors.ts";
import { unitNames } from "../plan/compare-units.ts";
import type { Observed, ObservedDisks, ObservedFile, ObservedUnit, Plan } from "../plan/plan.ts";
import type { Hooks } from "./hooks.ts";
import { pathOn, type Machine } from "./machine.ts";
import { readManifest } from "./manifest.ts";
import { refuseWayOut, targetOn } from "./real-path.ts";
import { property, showUnits } from "./systemctl.ts";
import { COMMAND_PROPERTIES, commandOf } from "./unit-command.ts";

/** Nothing that the agent writes comes near; a larger file is replaced unread. */
const LARGEST_FILE_BYTES = 8 * 1024 * 1024;

const UNIT_PROPERTIES = ["LoadState", "ActiveState", "SubState", "UnitFileState", "NeedDaemonReload", ...COMMAND_PROPERTIES];

/**
 * What is on the machine at the paths of the plan and at those of earlier runs, the planned units, and the manifest. What may
 * not be read is "unreadable"; units that systemd does not tell of are missing, with a note.
 *
 * @throws AgentError "write-failed" when a path leads out of the machine's root
 */
export async function observe(machine: Machine, plan: Plan, { note, signal }: Pick<Hooks, "note" | "signal">): Promise<Observed> {
  const asked = Promise.all([observeUnits(machine, unitNames(plan), note, signal), observePlannedDisks(plan, signal)]);
  // Who awaits it below hears of a failure.
  asked.catch(() => undefined);
  const found = observeFiles(machine, plan, note);
  const [units, disks] = await asked;
  return { ...found, units, disks };
}

function observeFiles(machine: Machine, plan: Plan, note: Hooks["note"]): Pick<Observed, "files" | "manifest"> {
  const manifest = readManifest(machine, note);
  const paths = [...new Set([...plan.files, ...plan.unwanted].map(({ path }) => path).concat(Object.keys(manifest.files)))];
  const blockPaths = [...new Set(plan.blocks.map(({ path }) => path).concat(manifest.blocks ?? []))];
  const files = [
    ...paths.map((path) => [path, observeFile(machine, path)] as const),
    ...blockPaths.map((path) => [path, observeFile(machine, path, "following")] as const),
  ];
  return { files: new Map(files), manifest };
}

/** Nothing of it is loaded where there are none, which is on most nodes. */
async function observePlannedDisks({ disks }: Plan, signal: AbortSignal | undefined): Promise<ObservedDisks | undefined> {
  return disks === undefined ? undefined : (await import("./observe-disks.ts")).observeDisks(disks.devices, signal);
}

/** @param links a file of others that gets a block may be a link, and stays one */
function observeFile(machine: Machine, path: string, links: "following" | "as links" = "as links"): ObservedFile {
  try {
    refuseWayOut(machine, path);
    return look(links === "following" ? targetOn(machine, path) : pathOn(machine, path));
  } catch (error) {
    if (isErrno(error, "ENOENT") || isErrno(error, "ENOTDIR")) return { kind: "absent" };
    if (isErrno(error, "EACCES") || isErrno(error, "EPERM") || isErrno(error, "EIO")) return { kind: "unreadable" };
    throw error;
  }
}

function look(path: string): ObservedFile {
  const stats = lstatSync(path);
  if (stats.isSymbolicLink()) return { kind: "symlink", target: readlinkSync(path) };
  if (!stats.isFile()) return { kind: "other", what: nameOfType(stats) };
  if (stats.size > LARGEST_FILE_BYTES) return { kind: "other", what: `file of ${stats.size} bytes` };
  return readRegular(path);
}

function readRegular(path: string): ObservedFile {
  const fd = openSync(path, constants.O_RDONLY | constants.O_NOFOLLOW | constants.O_NONBLOCK);
  try {
    const { mode, uid, gid } = fstatSync(fd);
    return { kind: "file", contents: readFileSync(fd, "utf8"), mode: mode & 0o7777, uid, gid };
  } finally {
    closeSync(fd);
  }
}

function nameOfType(stats: Stats): string {
  if (stats.isDirectory()) return "directory";
  if (stats.isFIFO()) return "named pipe";
  return stats.isSocket() ? "socket" : "device";
}

async function observeUnits(machine: Machine, units: readonly string[], note: Hooks["note"], signal: AbortSignal | undefined): Promise<ReadonlyMap<string, ObservedUnit>> {
  if (!machine.hasUnits || units.length === 0) return new Map();
  try {
    return await showPlannedUnits(units, signal);
  } catch (error) {
    if (!(error instanceof AgentError)) throw error;
    note("units-unknown", `The units are taken as not running: ${error.message}.`);
    return new Map();
  }
}

async function showPlannedUnits(names: readonly string[], signal: AbortSignal | undefined): Promise<ReadonlyMap<string, ObservedUnit>> {
  const shown = await showUnits(names, UNIT_PROPERTIES, signal);
  return new Map(shown.map((properties, index) => {
    const name = names[index] ?? "";
    return [name, {
      name,
      loadState: property(properties, "LoadState"),
      activeState: property(properties, "ActiveState"),
      subState: property(properties, "SubState"),
      unitFileState: property(properties, "UnitFileState"),
      needDaemonReload: property(properties, "NeedDaemonReload") === "yes",
      command: commandOf(properties),
    }];
  }));
}
