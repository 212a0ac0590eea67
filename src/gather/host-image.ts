import { accessSync, constants, lstatSync, readdirSync, readlinkSync, type Stats, statSync } from "node:fs";
import { keptAsidePath } from "../lib/kept-aside.ts";
import type { HostFacts } from "../resolve/facts.ts";
import type { HostTargets } from "./host.ts";
import { ifThere, readHostFile } from "./read-host-file.ts";

type ImageFacts = Pick<HostFacts, "programs" | "files" | "present" | "enabledUnits">;

/** What the image below `root` has. All paths in the answer are without `root`. */
export function gatherImage(root: string, targets: HostTargets): ImageFacts {
  return {
    programs: allThere(Object.entries(targets.programs).map(([name, paths]) => [name, firstExecutable(root, paths)])),
    files: allThere(targets.files.map((path) => [path, readImageFile(root, path)])),
    present: targets.presence.filter((path) => linkStatus(root + path) !== undefined),
    enabledUnits: targets.units.filter((unit) => isEnabled(root, unit)),
  };
}

function allThere(entries: readonly (readonly [string, string | undefined])[]): Readonly<Record<string, string>> {
  return Object.fromEntries(entries.filter((entry): entry is readonly [string, string] => entry[1] !== undefined));
}

/** The first of the paths that is a file which this process may execute. */
export function firstExecutable(root: string, paths: readonly string[]): string | undefined {
  return paths.find((path) => status(root + path)?.isFile() === true && isAllowed(root + path));
}

/** Where a link leads is what counts. */
export function status(path: string): Stats | undefined {
  return ifThere(path, () => statSync(path, { throwIfNoEntry: false }));
}

function linkStatus(path: string): Stats | undefined {
  return ifThere(path, () => lstatSync(path, { throwIfNoEntry: false }));
}

function isAllowed(path: string): boolean {
  try {
    accessSync(path, constants.X_OK);
    return true;
  } catch {
    return false;
  }
}

/** What the agent has kept aside is the image's; at the path itself the agent's own has taken its place. */
function readImageFile(root: string, path: string): string | undefined {
  return readHostFile(root + keptAsidePath(path)) ?? readHostFile(root + path);
}

const UNIT_FOLDERS = ["/etc/systemd/system", "/run/systemd/system", "/usr/local/lib/systemd/system", "/usr/lib/systemd/system", "/lib/systemd/system"];

/** As systemd sees it, which need not run: a unit is enabled by links in .wants and .requires, and a link to /dev/null masks it. */
function isEnabled(root: string, unit: string): boolean {
  const folder = UNIT_FOLDERS.find((one) => linkStatus(`${root}${one}/${unit}`) !== undefined);
  // A link whose unit is no longer installed does nothing.
  return folder !== undefined && UNIT_FOLDERS.some((one) => isWanted(root + one, unit)) && linkTarget(`${root}${folder}/${unit}`) !== "/dev/null";
}

function isWanted(folder: string, unit: string): boolean {
  const names = ifThere(folder, () => readdirSync(folder)) ?? [];
  return names.some((name) => /\.(wants|requires)$/.test(name) && linkStatus(`${folder}/${name}/${unit}`) !== undefined);
}

function linkTarget(path: string): string | undefined {
  try {
    return readlinkSync(path);
  } catch {
    // EINVAL: a file that is no link.
    return undefined;
  }
}
