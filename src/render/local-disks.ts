import { posix } from "node:path";
import { mountUnitName } from "../lib/systemd-escape.ts";
import { quoteArguments } from "../lib/systemd-quote.ts";
import { printUnitFile, type UnitSetting } from "../lib/unit-file.ts";
import type { PlannedDirectory, PlannedDisks, PlannedFile, PlannedVolume } from "../plan/plan.ts";
import type { LocalDisks } from "../resolve/local-disks.ts";
import type { Node } from "../resolve/node.ts";
import { plannedFile } from "./file.ts";

const UNITS = "/etc/systemd/system";

/** What is in the files makes the next boot right without the agent. */
export function renderLocalDisks({ localDisks }: Node): { readonly files: readonly PlannedFile[]; readonly disks: PlannedDisks | undefined } {
  if (localDisks === undefined) return { files: [], disks: undefined };
  const volumes = volumesOf(localDisks);
  const directories = directoriesOf(localDisks, volumes);
  const files = [...volumes.map((volume) => renderVolume(localDisks, volume)), ...directories.map((directory) => renderDirectory(directory)), ...renderUsers(directories)];
  return { files, disks: { layout: localDisks.layout.value, devices: localDisks.devices, volumes, directories, unitFiles: files.map(({ path }) => path) } };
}

/** The array has number 0, disks by themselves count from 1, as the peers number them. */
function volumesOf({ layout, devices, mountPath }: LocalDisks): readonly PlannedVolume[] {
  const numbers = layout.value === "mount" ? devices.map((_, index) => index + 1) : [0];
  return numbers.map((number) => {
    const mountPoint = posix.join(mountPath.value, String(number));
    return { label: `k8s-disks-${number}`, mountPoint, unit: mountUnitName(mountPoint) };
  });
}

function directoriesOf({ directories }: LocalDisks, [array]: readonly PlannedVolume[]): readonly PlannedDirectory[] {
  if (array === undefined) return [];
  return directories.map(({ path, users }) => ({ path, users, source: posix.join(array.mountPoint, nameOf(path)), unit: mountUnitName(path) }));
}

/** "kubelet" for /var/lib/kubelet, as the peers call it, and likewise "pods". */
function nameOf(path: string): string {
  return posix.basename(path);
}

/**
 * By its label, since the numbers of devices may change with a boot. With nofail the boot does not wait for it: after a stop and a start
 * the disks are blank, and it is the agent that makes them anew. What is kept on it has a while, and then fails, instead of running without.
 */
function renderVolume({ layout }: LocalDisks, { label, mountPoint, unit }: PlannedVolume): PlannedFile {
  const what = layout.value === "mount" ? "Local disk" : `Local disks (${layout.value})`;
  return mountUnit(unit, [["Description", `${what} at ${specifier(mountPoint)}`], ["JobTimeoutSec", "60s"]], [
    ["What", `/dev/disk/by-label/${label}`],
    ["Where", specifier(mountPoint)],
    ["Type", "xfs"],
    ["Options", "noatime,nofail"],
  ]);
}

/** Without the assertion systemd would make an empty directory where none has been copied yet, and hide the full one behind it. */
function renderDirectory({ path, source, unit }: PlannedDirectory): PlannedFile {
  const needs = quoteArguments([posix.dirname(source)]).replaceAll("%", "%%");
  return mountUnit(unit, [["Description", `${path} on the local disks`], ["RequiresMountsFor", needs], ["AssertPathIsDirectory", specifier(source)]], [
    ["What", specifier(source)],
    ["Where", path],
    ["Type", "none"],
    ["Options", "bind,nofail"],
  ]);
}

function mountUnit(unit: string, about: readonly UnitSetting[], mount: readonly UnitSetting[]): PlannedFile {
  return plannedFile(`${UNITS}/${unit}`, printUnitFile([["Unit", about], ["Mount", mount], ["Install", [["WantedBy", "local-fs.target"]]]]), { isUnitFile: true });
}

/** None of them runs with an empty directory, or half of them. */
function renderUsers(directories: readonly PlannedDirectory[]): readonly PlannedFile[] {
  const users = [...new Set(directories.flatMap((directory) => directory.users))];
  return users.map((user) => {
    const paths = directories.filter((directory) => directory.users.includes(user)).map(({ path }) => path);
    return plannedFile(`${UNITS}/${user}.d/05-local-disks.conf`, printUnitFile([["Unit", [["RequiresMountsFor", paths.join(" ")]]]]), { isUnitFile: true });
  });
}

/** systemd puts values for what a percent sign begins. */
function specifier(text: string): string {
  return text.replaceAll("%", "%%");
}
