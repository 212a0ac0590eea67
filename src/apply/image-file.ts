import { lstat, readFile } from "node:fs/promises";
import { isErrno } from "../errors.ts";
import { keptAsidePath } from "../lib/kept-aside.ts";
import type { Manifest, Plan } from "../plan/plan.ts";
import { pathOn, type Machine } from "./machine.ts";
import { explainWriteErrors } from "./write-failed.ts";
import { replaceFile } from "./write-file.ts";

/** JSON files of the image that are layers of what the agent writes to the same path. */
export const IMAGE_LAYERS = ["/etc/kubernetes/kubelet/kubelet-config.json", "/etc/docker/daemon.json"];

/** What stands for "the image brought none". */
const NOTHING = "{}\n";

/** Keeps the image's own files before the first run replaces them. Must come before the manifest names their paths. */
export async function keepImageFiles(machine: Machine, plan: Plan, manifest: Manifest): Promise<void> {
  const planned = IMAGE_LAYERS.filter((layer) => plan.files.some(({ path }) => path === layer));
  for (const path of planned) {
    if (manifest.files[path] === undefined) await keepImageFile(machine, path);
  }
}

/** Keeps one, unless that was decided by an earlier run, whose manifest is lost. */
export async function keepImageFile(machine: Machine, path: string): Promise<void> {
  const kept = pathOn(machine, keptAsidePath(path));
  if (await explainWriteErrors(`use ${kept}`, () => isFile(kept))) return;
  const original = pathOn(machine, path);
  const contents = await explainWriteErrors(`keep ${original} aside`, async () => ((await isFile(original)) ? readFile(original) : NOTHING));
  await replaceFile(kept, { contents, mode: 0o644, owner: machine.owner });
}

async function isFile(path: string): Promise<boolean> {
  try {
    return (await lstat(path)).isFile();
  } catch (error) {
    if (isErrno(error, "ENOENT") || isErrno(error, "ENOTDIR")) return false;
    throw error;
  }
}
