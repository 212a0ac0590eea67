import type { Change, Manifest, Observed, Plan, RecordedCommandLine } from "./plan.ts";
import { fileDigest, unitDigest } from "./unit-digest.ts";

/** In place of a digest while a run is at work: after a crash the file may be the old one or the new, and both are ours. */
export const BEING_WRITTEN = "being-written";

/** What the agent remembers when all steps are taken. */
export function nextManifest(plan: Plan, commandLine: RecordedCommandLine | undefined): Manifest {
  return {
    files: Object.fromEntries(plan.files.map((file) => [file.path, fileDigest(file)])),
    units: Object.fromEntries(plan.units.map((unit) => [unit.name, unitDigest(plan, unit)])),
    ...blocksOf(plan.blocks.map(({ path }) => path)),
    ...commandLineOf(commandLine),
  };
}

/**
 * What it remembers before the first step: old paths and new ones, so that whatever a killed run wrote is known to the
 * next, and the digests that the units were started with until now.
 */
export function manifestDuringChanges(plan: Plan, observed: Observed, changes: readonly Change[], commandLine: RecordedCommandLine | undefined): Manifest {
  const written = changes.flatMap((change) => (change.kind === "write-file" ? [[change.file.path, BEING_WRITTEN]] : []));
  return {
    files: { ...observed.manifest.files, ...nextManifest(plan, commandLine).files, ...Object.fromEntries(written) as Manifest["files"] },
    units: observed.manifest.units,
    ...blocksOf([...(observed.manifest.blocks ?? []), ...plan.blocks.map(({ path }) => path)]),
    ...commandLineOf(commandLine),
  };
}

/** The same, with the unit started with what `digest` stands for. */
export function withUnitStarted(manifest: Manifest, unit: string, digest: string): Manifest {
  return { ...manifest, units: { ...manifest.units, [unit]: digest } };
}

function commandLineOf(commandLine: RecordedCommandLine | undefined): Pick<Manifest, "commandLine"> {
  return commandLine === undefined ? {} : { commandLine };
}

/** Left out where there are none, which is on nearly all nodes. */
function blocksOf(paths: readonly string[]): Pick<Manifest, "blocks"> {
  return paths.length === 0 ? {} : { blocks: [...new Set(paths)] };
}
