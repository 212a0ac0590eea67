import { dirname } from "node:path";
import { AgentError } from "../errors.ts";
import { keptAsidePath } from "../lib/kept-aside.ts";
import { directoriesInTheWay } from "../plan/compare.ts";
import { manifestDuringChanges, nextManifest } from "../plan/next-manifest.ts";
import type { Change, Manifest } from "../plan/plan.ts";
import { IMAGE_LAYERS, imageFilesToKeep } from "./image-file.ts";
import { type Machine, pathOn } from "./machine.ts";
import { managedPaths } from "./managed-paths.ts";
import { MANIFEST_PATH } from "./manifest.ts";
import { removeLeftovers } from "./remove-file.ts";
import { beginStaging, type Staging } from "./staging.ts";
import type { Work } from "./work.ts";
import type { FileToPut } from "./write-file.ts";
import { manifestFile } from "./write-manifest.ts";

/** What will be put in place, in this order: the image's own files, the manifest, and what is planned. */
export type Staged = Staging & {
  /** Must be kept before the manifest names the paths that they come from. */
  readonly kept: readonly FileToPut[];
  /** What is remembered before the first file is touched; undefined when none will be. */
  readonly manifest: Manifest | undefined;
  /** What is remembered when all steps are taken. */
  readonly last: Manifest;
};

/**
 * Begins to write what will be put in place beside its place, all together: nothing of the machine is changed by that. Removes what
 * killed runs have left there. Only for the holder of the lock.
 *
 * @throws AgentError "write-failed" when it cannot begin
 */
export async function stage(machine: Machine, work: Work): Promise<Staged> {
  refuseDirectories(work.changes);
  for (const directory of managedDirectories(work)) await removeLeftovers(pathOn(machine, directory));
  const { plan, observed, changes, commandLine } = work;
  const kept = await imageFilesToKeep(machine, plan, observed.manifest);
  const manifest = changes.some(isOfFile) ? manifestDuringChanges(plan, observed, changes, commandLine) : undefined;
  const last = nextManifest(plan, commandLine);
  const manifests = manifest === undefined ? [] : [manifest, last];
  const files = [...kept, ...manifests.map((one) => manifestFile(machine, one)), ...firstWrites(changes, machine)];
  return { kept, manifest, last, ...beginStaging(files) };
}

/** Of the files that are written before anything else is done: a mount may hide what is beside the place of the others. */
function firstWrites(changes: readonly Change[], machine: Machine): readonly FileToPut[] {
  const end = changes.findIndex((change) => !isOfFile(change));
  return changes.slice(0, end === -1 ? undefined : end).flatMap((change) => (change.kind === "write-file" ? [plannedFile(change, machine)] : []));
}

export function plannedFile({ file: { path, contents, mode } }: Change & { kind: "write-file" }, machine: Machine): FileToPut {
  return { path: pathOn(machine, path), file: { contents, mode, owner: machine.owner } };
}

function refuseDirectories(changes: readonly Change[]): void {
  const directories = directoriesInTheWay(changes);
  if (directories.length === 0) return;
  const places = directories.map((path) => `"${path}"`).join(", ");
  throw new AgentError("write-failed", `Cannot write ${places}: there is a directory at that path`, { remedy: "Move it away, then run eks-node-agent again." });
}

function managedDirectories(work: Work): ReadonlySet<string> {
  return new Set([...managedPaths(work.plan, work.observed), MANIFEST_PATH, ...IMAGE_LAYERS.map(keptAsidePath)].map((path) => dirname(path)));
}

function isOfFile({ kind }: Change): boolean {
  return ["write-file", "remove-file", "write-block", "remove-block"].includes(kind);
}
