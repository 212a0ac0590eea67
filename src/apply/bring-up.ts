import { withUnitStarted } from "../plan/next-manifest.ts";
import type { Change, Observed, Plan } from "../plan/plan.ts";
import { allSettled } from "./all-settled.ts";
import { CONFIGURED_UNIT, noteMissingEnvironmentFiles, refuseForeignExecStart } from "./foreign-drop-ins.ts";
import type { Hooks } from "./hooks.ts";
import type { Machine } from "./machine.ts";
import { managedPaths } from "./managed-paths.ts";
import type { ManifestKeeper } from "./manifest-keeper.ts";
import { once } from "./once.ts";
import type { Patience } from "./patience.ts";
import { queueRestart, queueStarts } from "./start-units.ts";
import { readCommand } from "./unit-command.ts";
import { SOCKET_OF_UNIT, waitForSocket } from "./wait-for-socket.ts";

export type UnitStart = Change & { kind: "start-unit" };
type UnitRestart = Change & { kind: "restart-unit" };

/** The steps by which units come to run. A unit is remembered as started when its start is queued. */
export type BringUp = {
  /**
   * Starts units of which none waits for another.
   *
   * @returns settled when the unit is up as far as the next one needs
   */
  readonly start: (starts: readonly UnitStart[]) => (start: UnitStart) => Promise<void>;
  readonly restart: (restart: UnitRestart) => Promise<void>;
};

export type BringUpContext = {
  readonly machine: Machine;
  readonly work: { readonly plan: Plan; readonly observed: Observed; readonly changes: readonly Change[] };
  readonly hooks: Hooks;
  readonly manifest: ManifestKeeper;
  readonly patience: Patience;
};

export function bringingUp(context: BringUpContext): BringUp {
  const { hooks: { signal } } = context;
  const beforeStart = precautions(context);
  return {
    start: (starts) => {
      const outcomes = once(async () => {
        await allSettled(starts.map(({ unit }) => beforeStart.take(unit)));
        const queued = starts.map(queueStarts(starts, signal));
        beforeStart.lookAhead();
        return settle(starts, queued, beforeStart, context);
      });
      return async (start) => {
        const outcome = (await outcomes()).get(start.unit);
        if (outcome?.status === "rejected") throw outcome.reason;
      };
    },
    restart: async (restart) => {
      await beforeStart.take(restart.unit);
      beforeStart.restarted.add(restart.unit);
      const queued = queueRestart(restart.unit, signal);
      beforeStart.lookAhead();
      const outcome = (await settle([restart], [queued], beforeStart, context)).get(restart.unit);
      if (outcome?.status === "rejected") throw outcome.reason;
    },
  };
}

/** Remembers what was queued, and waits for it. */
async function settle(
  steps: readonly (UnitStart | UnitRestart)[],
  queued: readonly Promise<void>[],
  { untilReady }: Precautions,
  { manifest }: BringUpContext,
): Promise<ReadonlyMap<string, PromiseSettledResult<void>>> {
  const queuings = await Promise.allSettled(queued);
  const begun = steps.filter((_, index) => queuings[index]?.status === "fulfilled");
  // Not waited for: a run that is killed before it is on the disk has the unit restarted by the next one.
  manifest.keepSoon(begun.reduce((next, { unit, digest }) => withUnitStarted(next, unit, digest), manifest.current()));
  const outcomes = await Promise.allSettled(steps.map(async ({ unit }, index) => {
    await queued[index];
    await untilReady(unit);
  }));
  return new Map(steps.map(({ unit }, index) => [unit, outcomes[index] ?? { status: "fulfilled", value: undefined }]));
}

type Precautions = {
  /** Waits for what must answer first, and checks the command of the unit that the agent configures. */
  readonly take: (unit: string) => Promise<void>;
  /** Asks for the command that will be checked, so that nothing waits for the answer. */
  readonly lookAhead: () => void;
  readonly untilReady: (unit: string) => Promise<void>;
  /** By this run. */
  readonly restarted: Set<string>;
};

function precautions({ machine, work, hooks, patience }: BringUpContext): Precautions {
  const [ready, restarted] = [new Set<string>(), new Set<string>()];
  const command = once(() => readCommand(CONFIGURED_UNIT.name, hooks.signal));
  const isConfiguredToCome = work.changes.some((change) => (change.kind === "start-unit" || change.kind === "restart-unit") && change.unit === CONFIGURED_UNIT.name);

  const untilReady = async (unit: string): Promise<void> => {
    const socket = SOCKET_OF_UNIT[unit];
    if (socket === undefined || ready.has(unit)) return;
    await waitForSocket({ machine, unit, socket, isRestarted: restarted.has(unit) }, patience, hooks);
    ready.add(unit);
  };
  const check = async (): Promise<void> => {
    refuseForeignExecStart(machine, managedPaths(work.plan, work.observed), "loaded", await command());
    noteMissingEnvironmentFiles(machine, await command(), hooks.note);
  };
  return {
    untilReady,
    restarted,
    lookAhead: () => {
      // Who needs it hears of a failure.
      if (isConfiguredToCome) command().catch(() => undefined);
    },
    take: async (unit) => {
      for (const earlier of unitsBefore(unit, work.plan)) await untilReady(earlier);
      if (unit === CONFIGURED_UNIT.name) await check();
    },
  };
}

function unitsBefore(unit: string, plan: Plan): readonly string[] {
  const names = plan.units.map(({ name }) => name);
  return names.slice(0, names.indexOf(unit));
}
