import { hasBlock, withBlock } from "./block.ts";
import type { Change, ComparedBlock, Observed, ObservedFile, Plan, PlannedBlock } from "./plan.ts";

/** The planned blocks, then those of earlier runs that are planned no more. */
export function compareBlocks(plan: Plan, observed: Observed): readonly ComparedBlock[] {
  const planned = plan.blocks.map((block) => comparePlanned(block, beforeOf(block.path, observed)));
  const paths = plan.blocks.map(({ path }) => path);
  const old = (observed.manifest.blocks ?? []).filter((path) => !paths.includes(path));
  return [...planned, ...old.flatMap((path) => compareOld(path, beforeOf(path, observed)))];
}

export function changeOfBlock({ path, state, planned, before }: ComparedBlock): readonly Change[] {
  if (state === "unchanged") return [];
  return [planned === undefined ? { kind: "remove-block", path } : { kind: "write-block", block: planned, before }];
}

function comparePlanned(planned: PlannedBlock, before: ObservedFile): ComparedBlock {
  return { path: planned.path, state: stateOf(planned, before), planned, before };
}

function stateOf({ lines }: PlannedBlock, before: ObservedFile): ComparedBlock["state"] {
  if (before.kind === "unreadable") return "unknown";
  if (before.kind !== "file" || !hasBlock(before.contents)) return "new";
  return withBlock(before.contents, lines) === before.contents ? "unchanged" : "changed";
}

function compareOld(path: string, before: ObservedFile): readonly ComparedBlock[] {
  return before.kind === "file" && hasBlock(before.contents) ? [{ path, state: "removed", planned: undefined, before }] : [];
}

function beforeOf(path: string, { files }: Observed): ObservedFile {
  return files.get(path) ?? { kind: "absent" };
}
