import { lstatSync, readFileSync } from "node:fs";
import { isErrno } from "../errors.ts";
import { keptAsidePath } from "../lib/kept-aside.ts";
import type { Manifest, Plan } from "../plan/plan.ts";
import { pathOn, type Machine } from "./machine.ts";
import { explainWriteErrors } from "./write-failed.ts";
import type { FileToPut } from "./write-file.ts";

/** JSON files of the image that are layers of what the agent writes to the same path. */
export const IMAGE_LAYERS = ["/etc/kubernetes/kubelet/kubelet-config.json", "/etc/docker/daemon.json"];

/** What stands for "the image brought none". */
const NOTHING = "{}\n";

/** The image's own files that the first run replaces, as they are to be kept, with the path to keep them at. */
export async function imageFilesToKeep(machine: Machine, plan: Plan, manifest: Manifest): Promise<readonly FileToPut[]> {
  const planned = IMAGE_LAYERS.filter((layer) => plan.files.some(({ path }) => path === layer));
  const kept = await Promise.all(planned.filter((path) => manifest.files[path] === undefined).map((path) => imageFileToKeep(machine, path)));
  return kept.flat();
}

/** Nothing where that was decided by an earlier run, whose manifest may be lost. */
async function imageFileToKeep(machine: Machine, path: string): Promise<readonly FileToPut[]> {
  const kept = pathOn(machine, keptAsidePath(path));
  if (await explainWriteErrors(`use ${kept}`, () => isFile(kept))) return [];
  const original = pathOn(machine, path);
  const contents = await explainWriteErrors(`keep ${original} aside`, () => (isFile(original) ? readFileSync(original) : NOTHING));
  return [{ path: kept, file: { contents, mode: 0o644, owner: machine.owner } }];
}

function isFile(path: string): boolean {
  try {
    return lstatSync(path).isFile();
  } catch (error) {
    if (isErrno(error, "ENOENT") || isErrno(error, "ENOTDIR")) return false;
    throw error;
  }
}
