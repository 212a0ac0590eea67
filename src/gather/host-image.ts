import { access, constants, lstat, readdir, readlink, stat } from "node:fs/promises";
import { keptAsidePath } from "../lib/kept-aside.ts";
import type { HostFacts } from "../resolve/facts.ts";
import type { HostTargets } from "./host.ts";
import { readHostFile, undefinedIfAbsent } from "./read-host-file.ts";

type ImageFacts = Pick<HostFacts, "programs" | "files" | "present" | "enabledUnits">;

/** What the image below `root` has. All paths in the answer are without `root`. */
export async function gatherImage(root: string, targets: HostTargets): Promise<ImageFacts> {
  const [programs, files, present, enabledUnits] = await Promise.all([
    findPrograms(root, targets.programs),
    readFiles(root, targets.files),
    keep(targets.presence, async (path) => lstat(root + path).catch(undefinedIfAbsent(root + path))),
    keep(targets.units, (unit) => isEnabled(root, unit)),
  ]);
  return { programs, files, present, enabledUnits };
}

async function findPrograms(root: string, programs: HostTargets["programs"]): Promise<Readonly<Record<string, string>>> {
  const found = await Promise.all(Object.entries(programs).map(async ([name, paths]) => [name, await firstExecutable(root, paths)] as const));
  return Object.fromEntries(found.filter((entry): entry is [string, string] => entry[1] !== undefined));
}

/** The first of the paths that is a file which this process may execute. */
export async function firstExecutable(root: string, paths: readonly string[]): Promise<string | undefined> {
  const [first] = await keep(paths, async (path) => {
    const status = await stat(root + path).catch(undefinedIfAbsent(root + path));
    return status?.isFile() === true && (await isAllowed(root + path));
  });
  return first;
}

async function isAllowed(path: string): Promise<boolean> {
  return access(path, constants.X_OK).then(
    () => true,
    () => false,
  );
}

async function readFiles(root: string, paths: readonly string[]): Promise<Readonly<Record<string, string>>> {
  const texts = await Promise.all(paths.map((path) => readImageFile(root, path)));
  const entries = paths.map((path, index) => [path, texts[index]] as const);
  return Object.fromEntries(entries.filter((entry): entry is [string, string] => entry[1] !== undefined));
}

/** What the agent has kept aside is the image's; at the path itself the agent's own has taken its place. */
async function readImageFile(root: string, path: string): Promise<string | undefined> {
  return (await readHostFile(root + keptAsidePath(path))) ?? (await readHostFile(root + path));
}

const UNIT_FOLDERS = ["/etc/systemd/system", "/run/systemd/system", "/usr/local/lib/systemd/system", "/usr/lib/systemd/system", "/lib/systemd/system"];

/** As systemd sees it, which need not run: a unit is enabled by links in .wants and .requires, and a link to /dev/null masks it. */
async function isEnabled(root: string, unit: string): Promise<boolean> {
  const [files, links] = await Promise.all([
    keep(UNIT_FOLDERS, async (folder) => lstat(`${root}${folder}/${unit}`).catch(undefinedIfAbsent(`${root}${folder}/${unit}`))),
    keep(UNIT_FOLDERS, (folder) => isWanted(root + folder, unit)),
  ]);
  const [file] = files;
  // A link whose unit is no longer installed does nothing.
  return file !== undefined && links.length > 0 && (await readLink(`${root}${file}/${unit}`)) !== "/dev/null";
}

async function isWanted(folder: string, unit: string): Promise<boolean> {
  const names = (await readdir(folder).catch(undefinedIfAbsent(folder))) ?? [];
  const links = names.filter((name) => /\.(wants|requires)$/.test(name)).map((name) => `${folder}/${name}/${unit}`);
  return (await keep(links, async (link) => lstat(link).catch(undefinedIfAbsent(link)))).length > 0;
}

async function readLink(path: string): Promise<string | undefined> {
  // EINVAL: a file that is no link.
  return readlink(path).catch(() => undefined);
}

/** Those for which the answer is anything but undefined or false. */
async function keep<T>(values: readonly T[], test: (value: T) => Promise<unknown>): Promise<readonly T[]> {
  const answers = await Promise.all(values.map(test));
  return values.filter((_, index) => answers[index] !== undefined && answers[index] !== false);
}
