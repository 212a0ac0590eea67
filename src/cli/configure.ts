import { apply } from "../apply/apply.ts";
import type { Hooks } from "../apply/hooks.ts";
import type { Machine } from "../apply/machine.ts";
import { PATIENCE } from "../apply/patience.ts";
import { stage, type Staged } from "../apply/stage.ts";
import { noteFailedUnits } from "../apply/units.ts";
import { verify } from "../apply/verify.ts";
import type { Work } from "../apply/work.ts";
import type { Note } from "../resolve/notes.ts";
import type { BootstrapFlags } from "./bootstrap-flags.ts";
import { hooksOf } from "./hooks.ts";
import { refuseErrors } from "./judge-findings.ts";
import type { Preparation, Prepared } from "./prepare.ts";
import { prepareAhead } from "./prepare-ahead.ts";
import { recordFacts, recordPlan } from "./record-preparation.ts";
import { showChanges } from "./show-changes.ts";
import { showJson } from "./show-json.ts";
import type { World } from "./world.ts";

/** `--detailed-exit-code`: the dry run found changes. */
const WOULD_CHANGE = 2;

/**
 * Takes the steps from the machine as it is to the one that config and facts ask for; a dry run shows them.
 *
 * @param notes of the run so far
 * @returns the exit status
 */
export async function configure(preparation: Preparation, notes: readonly Note[]): Promise<number> {
  const { flags, machine, world } = preparation;
  const { prepared, staged } = await prepareAhead(preparation, async (one) => (willWrite(one, flags) ? stage(machine, workOf(one, flags)) : undefined));
  try {
    recordFacts(prepared.facts, world.record);
    recordPlan(prepared, world.record);
    await show(prepared, notes, flags, machine, world);
    refuseErrors(prepared.findings);
    if (flags.dryRun) return flags.detailedExitCode && prepared.comparison.changes.length > 0 ? WOULD_CHANGE : 0;
    await carryOut(prepared, staged, preparation);
    return 0;
  } finally {
    await staged?.discard();
  }
}

function willWrite({ findings }: Prepared, { dryRun }: BootstrapFlags): boolean {
  return !dryRun && !findings.some(({ severity }) => severity === "error");
}

function workOf({ plan, observed, comparison: { changes } }: Prepared, { args, environment }: BootstrapFlags): Work {
  return { plan, observed, changes, commandLine: args.length === 0 ? undefined : { args, environment } };
}

async function show(prepared: Prepared, notes: readonly Note[], flags: BootstrapFlags, machine: Machine, world: World): Promise<void> {
  const { plan, node } = prepared;
  const view = { ...prepared, notes: [...notes, ...node.notes], units: plan.units.map(({ name }) => name), owner: machine.owner };
  world.print(flags.output === "json" ? showJson(view) : await showChanges(view, { explain: flags.explain, colour: world.colour, isDryRun: flags.dryRun }));
}

async function carryOut(prepared: Prepared, staged: Staged | undefined, { flags, machine, facts, world }: Preparation): Promise<void> {
  const { plan, node } = prepared;
  const hooks = closingMeanwhile(facts.close, hooksOf(world));
  await world.phase("apply", () => apply(machine, workOf(prepared, flags), hooks, PATIENCE, staged));
  if (!machine.hasUnits) return;
  const { wait, waitTimeoutMs: timeoutMs } = flags;
  const awaitsCertificate = node.cluster.isLocalOutpost.value;
  await world.phase("verify", () => verify({ unit: "kubelet.service", wait, timeoutMs, healthz: node.healthz, awaitsCertificate }, hooks));
  // Who does not wait at all is not told: nothing that was started a moment ago has failed yet.
  if (wait !== "none") await noteFailedUnits(plan.units.filter(({ failure }) => failure === "note").map(({ name }) => name), hooks.note, hooks.signal);
}

/** Nobody is asked any more: the connections are closed when there is time for it, which is when systemd starts a unit. */
function closingMeanwhile(close: () => Promise<void>, hooks: Hooks): Hooks {
  return {
    ...hooks,
    onStep: (change, take) => {
      if (change.kind === "start-unit" || change.kind === "restart-unit") setImmediate(() => void close());
      return hooks.onStep(change, take);
    },
  };
}
