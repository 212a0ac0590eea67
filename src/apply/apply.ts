import { AgentError } from "../errors.ts";
import type { Change, Plan } from "../plan/plan.ts";
import { allSettled } from "./all-settled.ts";
import { inBatches } from "./batches.ts";
import { type BringUp, bringingUp, type UnitStart } from "./bring-up.ts";
import { type Enabling, enableTogether } from "./enable-units.ts";
import type { Hooks } from "./hooks.ts";
import { pathOn, type Machine } from "./machine.ts";
import { manifestKeeper, type ManifestKeeper } from "./manifest-keeper.ts";
import { PATIENCE, type Patience } from "./patience.ts";
import { once } from "./once.ts";
import { removeFile } from "./remove-file.ts";
import { plannedFile, stage, type Staged } from "./stage.ts";
import { readCommand } from "./unit-command.ts";
import { writeBlock } from "./write-block.ts";
import type { Work } from "./work.ts";
import type { PutFile } from "./write-file.ts";

/**
 * Takes the steps in their order. A run that fails or is killed at any point leaves whole files, and a manifest from which
 * the next run completes the work. Without changes nothing is written. Only for the holder of the lock.
 *
 * @param staged by stage() for this work, where there was time for it
 * @throws AgentError for what the operator can put right; the signal's reason when aborted
 */
export async function apply(machine: Machine, work: Work, hooks: Hooks, patience: Patience = PATIENCE, staged?: Staged): Promise<void> {
  await refuseUnknownUnits(work, hooks.signal);
  const { kept, manifest: first, last, put, discard } = staged ?? (await stage(machine, work));
  const manifest = manifestKeeper(machine, work.observed.manifest, put);
  const run: Run = { machine, work, hooks, put, manifest, bringUp: bringingUp({ machine, work, hooks, manifest, patience }) };
  try {
    for (const { path, file } of kept) await put(path, file);
    if (first !== undefined) await manifest.keep(first);
    await takeSteps(run);
    await manifest.keep(last);
  } catch (error) {
    // What is remembered so far gets to the disk; why the run ends is the error to be told.
    await Promise.allSettled([manifest.keep(manifest.current())]);
    throw error;
  } finally {
    await discard();
  }
}

type Run = {
  readonly machine: Machine;
  readonly work: Work;
  readonly hooks: Hooks;
  readonly put: PutFile;
  readonly manifest: ManifestKeeper;
  readonly bringUp: BringUp;
};

/** A machine whose systemd did not tell of the units will not start them either: better to hear of it before anything is written. */
async function refuseUnknownUnits({ plan, observed }: Work, signal: AbortSignal | undefined): Promise<void> {
  const unknown = plan.units.find(({ name }) => !observed.units.has(name));
  if (unknown !== undefined) await readCommand(unknown.name, signal);
}

async function takeSteps(run: Run): Promise<void> {
  for (const batch of inBatches(run.work.changes, (unit) => isNeeded(unit, run.work.plan))) {
    run.hooks.signal?.throwIfAborted();
    const calls = callsFor(batch, run);
    await allSettled(batch.map((change) => run.hooks.onStep(change, () => takeStep(change, calls, run))));
  }
}

/** What serves all steps of a batch, by as few calls of systemctl as there can be; made when the first of them needs it. */
type Calls = {
  readonly enabling: () => Enabling;
  readonly starting: () => (start: UnitStart) => Promise<void>;
};

function callsFor(batch: readonly Change[], { bringUp, hooks }: Run): Calls {
  return {
    enabling: once(() => enableTogether(batch.flatMap((change) => (change.kind === "enable-unit" ? [change.unit] : [])), hooks.signal)),
    starting: once(() => bringUp.start(batch.filter((change) => change.kind === "start-unit"))),
  };
}

async function takeStep(change: Change, { enabling, starting }: Calls, run: Run): Promise<void> {
  const { machine, hooks } = run;
  switch (change.kind) {
    case "write-file":
      return writePlanned(change, run);
    case "remove-file":
      return removeFile(pathOn(machine, change.path));
    case "write-block":
      return writeBlock(machine, change.block.path, change.block.lines, hooks.note);
    case "remove-block":
      return writeBlock(machine, change.path, [], hooks.note);
    case "create-array":
    case "assemble-array":
    case "make-file-system":
    case "mount":
    case "stop-unit":
    case "copy-directory":
      return (await import("./local-disks.ts")).takeDiskStep(change, hooks.signal);
    case "reload-systemd":
      return enabling().reload();
    case "enable-unit":
      return tolerantly(change.unit, run, () => enabling().enable(change.unit));
    case "start-unit":
      return tolerantly(change.unit, run, () => starting()(change));
    case "restart-unit":
      return tolerantly(change.unit, run, () => run.bringUp.restart(change));
  }
}

async function writePlanned(change: Change & { kind: "write-file" }, { machine, put, hooks }: Run): Promise<void> {
  const { path, file } = plannedFile(change, machine);
  await put(path, file);
  if (change.isDrift) hooks.note("drift", `${change.file.path} was changed by somebody else since eks-node-agent wrote it, and is as planned again. To keep a change, put it into the node's configuration.`);
}

/** Without some units the node does its work: what systemd says against them is a note. */
async function tolerantly(unit: string, { work, hooks }: Run, step: () => Promise<void>): Promise<void> {
  try {
    await step();
  } catch (error) {
    if (isNeeded(unit, work.plan) || !(error instanceof AgentError)) throw error;
    hooks.note("unit-failed", `${error.message}. ${error.remedy}`);
  }
}

function isNeeded(unit: string, plan: Plan): boolean {
  return plan.units.find(({ name }) => name === unit)?.failure !== "note";
}
