import { dirname } from "node:path";
import { AgentError } from "../errors.ts";
import { keptAsidePath } from "../lib/kept-aside.ts";
import { directoriesInTheWay } from "../plan/compare.ts";
import { manifestDuringChanges, nextManifest, withUnitStarted } from "../plan/next-manifest.ts";
import type { Change, Observed, Plan, RecordedCommandLine } from "../plan/plan.ts";
import { CONFIGURED_UNIT, configuredUnit, noteMissingEnvironmentFiles, refuseForeignExecStart } from "./foreign-drop-ins.ts";
import type { Hooks } from "./hooks.ts";
import { IMAGE_LAYERS, keepImageFiles } from "./image-file.ts";
import { pathOn, type Machine } from "./machine.ts";
import { MANIFEST_PATH } from "./manifest.ts";
import { manifestKeeper, type ManifestKeeper } from "./manifest-keeper.ts";
import { PATIENCE, type Patience } from "./patience.ts";
import { removeFile, removeLeftovers } from "./remove-file.ts";
import { enableTogether, queueRestart, queueStart, reloadSystemd } from "./units.ts";
import { SOCKET_OF_UNIT, waitForSocket } from "./wait-for-socket.ts";
import { writeBlock } from "./write-block.ts";
import { replaceFile } from "./write-file.ts";

/** One run's work: how the machine shall be, how it was found, and the steps in between. */
export type Work = {
  readonly plan: Plan;
  readonly observed: Observed;
  readonly changes: readonly Change[];
  /** To be remembered for runs without one. */
  readonly commandLine: RecordedCommandLine | undefined;
};

/**
 * Takes the steps in their order. A run that fails or is killed at any point leaves whole files, and a manifest from which
 * the next run completes the work. Without changes nothing is written. Only for the holder of the lock.
 *
 * @throws AgentError for what the operator can put right; the signal's reason when aborted
 */
export async function apply(machine: Machine, work: Work, hooks: Hooks, patience: Patience = PATIENCE): Promise<void> {
  const run: Run = { machine, work, hooks, patience, manifest: manifestKeeper(machine, work.observed.manifest), ready: new Set() };
  await prepare(run);
  await takeSteps(run);
  await run.manifest.keep(nextManifest(work.plan, work.commandLine));
}

type Run = {
  readonly machine: Machine;
  readonly work: Work;
  readonly hooks: Hooks;
  readonly patience: Patience;
  readonly manifest: ManifestKeeper;
  /** Units whose socket need not be waited for again. */
  readonly ready: Set<string>;
};

async function prepare({ machine, work, hooks, manifest }: Run): Promise<void> {
  refuseDirectories(work.changes);
  if (plansConfiguredUnit(work)) await refuseForeignExecStart(machine, ourPaths(work), "before-writing", await configuredUnit(hooks.signal));
  for (const directory of managedDirectories(work)) await removeLeftovers(pathOn(machine, directory));
  await keepImageFiles(machine, work.plan, work.observed.manifest);
  if (!work.changes.some(isOfFile)) return;
  await manifest.keep(manifestDuringChanges(work.plan, work.observed, work.changes, work.commandLine));
}

function refuseDirectories(changes: readonly Change[]): void {
  const directories = directoriesInTheWay(changes);
  if (directories.length === 0) return;
  const places = directories.map((path) => `"${path}"`).join(", ");
  throw new AgentError("write-failed", `Cannot write ${places}: there is a directory at that path`, { remedy: "Move it away, then run eks-node-agent again." });
}

async function takeSteps(run: Run): Promise<void> {
  for (const batch of inBatches(run.work.changes)) {
    run.hooks.signal?.throwIfAborted();
    const enable = enableTogether(batch.flatMap((change) => (change.kind === "enable-unit" ? [change.unit] : [])), run.hooks.signal);
    await allSettled(batch.map((change) => run.hooks.onStep(change, () => takeStep(change, enable, run))));
  }
}

/**
 * The writes go to the disk together, since each waits for it several times, and the units are enabled together; every other
 * step is taken by itself.
 */
function inBatches(changes: readonly Change[]): readonly (readonly Change[])[] {
  const writes = changes.filter(({ kind }) => kind === "write-file");
  const others = changes.filter(({ kind }) => kind !== "write-file");
  const firstEnable = others.findIndex(({ kind }) => kind === "enable-unit");
  const enables = others.filter(({ kind }) => kind === "enable-unit");
  const alone = others.map((change) => [change]);
  const steps = enables.length === 0 ? alone : alone.toSpliced(firstEnable, enables.length, enables);
  return [...(writes.length > 0 ? [writes] : []), ...steps];
}

/** Like Promise.all(), but an error is thrown only when nothing is under way any more: no file stays half done. */
async function allSettled(steps: readonly Promise<void>[]): Promise<void> {
  const results = await Promise.allSettled(steps);
  for (const result of results) if (result.status === "rejected") throw result.reason;
}

async function takeStep(change: Change, enable: (unit: string) => Promise<void>, run: Run): Promise<void> {
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
    case "reload-systemd":
      return reloadSystemd(hooks.signal);
    case "enable-unit":
      return tolerantly(change.unit, run, () => enable(change.unit));
    case "start-unit":
      return tolerantly(change.unit, run, () => bringUp(change, run, () => queueStart(change.unit, change.resetFailed, hooks.signal)));
    case "restart-unit":
      return tolerantly(change.unit, run, () => bringUp(change, run, () => queueRestart(change.unit, hooks.signal)));
  }
}

async function writePlanned({ file, isDrift }: Change & { kind: "write-file" }, { machine, hooks }: Run): Promise<void> {
  await replaceFile(pathOn(machine, file.path), { contents: file.contents, mode: file.mode, owner: machine.owner });
  if (isDrift) hooks.note("drift", `${file.path} was changed by somebody else since eks-node-agent wrote it, and is as planned again. To keep a change, put it into the node's configuration.`);
}

/** Without some units the node does its work: what systemd says against them is a note. */
async function tolerantly(unit: string, { work, hooks }: Run, step: () => Promise<void>): Promise<void> {
  try {
    await step();
  } catch (error) {
    const isNeeded = work.plan.units.find(({ name }) => name === unit)?.failure !== "note";
    if (isNeeded || !(error instanceof AgentError)) throw error;
    hooks.note("unit-failed", `${error.message}. ${error.remedy}`);
  }
}

type UnitStep = Change & { kind: "start-unit" | "restart-unit" };

async function bringUp({ unit, digest }: UnitStep, run: Run, queue: () => Promise<void>): Promise<void> {
  for (const earlier of unitsBefore(unit, run.work.plan)) await waitUntilReady(earlier, run);
  if (unit === CONFIGURED_UNIT.name) await checkConfiguredUnit(run);
  await queue();
  await allSettled([run.manifest.keep(withUnitStarted(run.manifest.current(), unit, digest)), waitUntilReady(unit, run)]);
}

async function checkConfiguredUnit({ machine, work, hooks }: Run): Promise<void> {
  const unit = await configuredUnit(hooks.signal);
  await refuseForeignExecStart(machine, ourPaths(work), "loaded", unit);
  await noteMissingEnvironmentFiles(machine, unit, hooks.note);
}

async function waitUntilReady(unit: string, { machine, hooks, patience, ready }: Run): Promise<void> {
  const socket = SOCKET_OF_UNIT[unit];
  if (socket === undefined || ready.has(unit)) return;
  await waitForSocket(machine, unit, socket, patience, hooks);
  ready.add(unit);
}

function unitsBefore(unit: string, plan: Plan): readonly string[] {
  const names = plan.units.map(({ name }) => name);
  return names.slice(0, names.indexOf(unit));
}

function plansConfiguredUnit({ plan }: Work): boolean {
  return plan.units.some(({ name }) => name === CONFIGURED_UNIT.name);
}

function ourPaths({ plan, observed }: Work): ReadonlySet<string> {
  return managedPaths(plan, observed);
}

/** What the agent writes, or wrote before. */
export function managedPaths(plan: Plan, observed: Observed): ReadonlySet<string> {
  return new Set([...plan.files.map(({ path }) => path), ...Object.keys(observed.manifest.files)]);
}

function managedDirectories(work: Work): ReadonlySet<string> {
  return new Set([...ourPaths(work), MANIFEST_PATH, ...IMAGE_LAYERS.map(keptAsidePath)].map((path) => dirname(path)));
}

function isOfFile({ kind }: Change): boolean {
  return ["write-file", "remove-file", "write-block", "remove-block"].includes(kind);
}
