import { constants } from "node:fs";
import { lstat, open, readlink, realpath } from "node:fs/promises";
import type { Stats } from "node:fs";
import { dirname } from "node:path";
import { AgentError, isErrno } from "../errors.ts";
import type { Observed, ObservedFile, ObservedUnit, Plan, PlannedUnit } from "../plan/plan.ts";
import type { Hooks } from "./hooks.ts";
import { pathOn, type Machine } from "./machine.ts";
import { readManifest } from "./manifest.ts";
import { property, showUnits } from "./systemctl.ts";

/** Nothing that the agent writes comes near; a larger file is replaced unread. */
const LARGEST_FILE_BYTES = 8 * 1024 * 1024;

const UNIT_PROPERTIES = ["LoadState", "ActiveState", "SubState", "UnitFileState", "NeedDaemonReload"];

/**
 * What is on the machine at the planned paths and at those of earlier runs, the planned units, and the manifest. What may
 * not be read is "unreadable"; units that systemd does not tell of are missing, with a note.
 *
 * @throws AgentError "write-failed" when a path leads out of the machine's root
 */
export async function observe(machine: Machine, plan: Plan, { note, signal }: Pick<Hooks, "note" | "signal">): Promise<Observed> {
  const [manifest, units] = await Promise.all([readManifest(machine, note), observeUnits(machine, plan.units, note, signal)]);
  const paths = [...new Set([...plan.files.map(({ path }) => path), ...Object.keys(manifest.files)])];
  const files = await Promise.all(paths.map(async (path) => [path, await observeFile(machine, path)] as const));
  return { files: new Map(files), units, manifest };
}

async function observeFile(machine: Machine, path: string): Promise<ObservedFile> {
  try {
    await refuseWayOut(machine, path);
    return await look(pathOn(machine, path));
  } catch (error) {
    if (isErrno(error, "ENOENT") || isErrno(error, "ENOTDIR")) return { kind: "absent" };
    if (isErrno(error, "EACCES") || isErrno(error, "EPERM") || isErrno(error, "EIO")) return { kind: "unreadable" };
    throw error;
  }
}

async function look(path: string): Promise<ObservedFile> {
  const stats = await lstat(path);
  if (stats.isSymbolicLink()) return { kind: "symlink", target: await readlink(path) };
  if (!stats.isFile()) return { kind: "other", what: nameOfType(stats) };
  if (stats.size > LARGEST_FILE_BYTES) return { kind: "other", what: `file of ${stats.size} bytes` };
  return readRegular(path);
}

async function readRegular(path: string): Promise<ObservedFile> {
  const handle = await open(path, constants.O_RDONLY | constants.O_NOFOLLOW | constants.O_NONBLOCK);
  try {
    const { mode, uid, gid } = await handle.stat();
    return { kind: "file", contents: await handle.readFile("utf8"), mode: mode & 0o7777, uid, gid };
  } finally {
    await handle.close();
  }
}

function nameOfType(stats: Stats): string {
  if (stats.isDirectory()) return "directory";
  if (stats.isFIFO()) return "named pipe";
  return stats.isSocket() ? "socket" : "device";
}

/** An image's absolute symbolic link, such as /var/run to /run, would lead from the image to the machine that builds it. */
async function refuseWayOut({ root }: Machine, path: string): Promise<void> {
  if (root === "") return;
  const [directory, inside] = await Promise.all([realpathOfExisting(dirname(root + path)), realpath(root)]);
  if (directory === inside || directory.startsWith(`${inside}/`)) return;
  throw new AgentError("write-failed", `Cannot use ${root}${path}: its directory is a symbolic link out of ${root}, to ${directory}`, {
    remedy: "Make the link relative, or run eks-node-agent inside the image with chroot.",
  });
}

async function realpathOfExisting(directory: string): Promise<string> {
  try {
    return await realpath(directory);
  } catch (error) {
    if (isErrno(error, "ENOENT") && directory !== "/") return realpathOfExisting(dirname(directory));
    throw error;
  }
}

async function observeUnits(machine: Machine, units: readonly PlannedUnit[], note: Hooks["note"], signal: AbortSignal | undefined): Promise<ReadonlyMap<string, ObservedUnit>> {
  if (!machine.hasUnits || units.length === 0) return new Map();
  try {
    return await showPlannedUnits(units.map(({ name }) => name), signal);
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
    }];
  }));
}
