import { apply, managedPaths } from "../apply/apply.ts";
import { configuredUnit, refuseForeignExecStart } from "../apply/foreign-drop-ins.ts";
import type { Machine } from "../apply/machine.ts";
import { observe } from "../apply/observe.ts";
import { noteFailedUnits } from "../apply/units.ts";
import { verify } from "../apply/verify.ts";
import { compare } from "../plan/compare.ts";
import type { Comparison, Observed, Plan } from "../plan/plan.ts";
import { type Finding, preflight } from "../preflight/preflight.ts";
import { render } from "../render/plan.ts";
import type { Facts } from "../resolve/facts.ts";
import { type Node, resolveNode } from "../resolve/node.ts";
import type { AddNote, Note } from "../resolve/notes.ts";
import type { BootstrapFlags } from "./bootstrap-flags.ts";
import { checkContainerd } from "./check-containerd.ts";
import { hooksOf } from "./hooks.ts";
import { judgeFindings, refuseErrors } from "./judge-findings.ts";
import type { LoadedConfig } from "./load-config.ts";
import { loadMaxPodsEvaluator } from "./max-pods-evaluator.ts";
import { NOTHING_OBSERVED } from "./nothing-observed.ts";
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
  const prepared = await prepare(preparation);
  recordPlan(prepared, world.record);
  await show(prepared, notes, flags, machine, world);
  refuseErrors(prepared.findings);
  if (flags.dryRun) return flags.detailedExitCode && prepared.comparison.changes.length > 0 ? WOULD_CHANGE : 0;
  await carryOut(prepared, flags, machine, world);
  return 0;
}

export type Preparation = {
  readonly flags: BootstrapFlags;
  readonly machine: Machine;
  readonly loaded: LoadedConfig;
  readonly facts: Promise<Facts>;
  readonly world: World;
  readonly addNote: AddNote;
  /** Settled when no other run is at work; nothing of the machine may be observed before. */
  readonly locked: Promise<void> | undefined;
};

type Prepared = {
  readonly inputs: readonly string[];
  readonly facts: Facts;
  readonly node: Node;
  readonly findings: readonly Finding[];
  readonly plan: Plan;
  readonly observed: Observed;
  readonly comparison: Comparison;
};

async function prepare({ flags, machine, loaded, facts: awaited, world, addNote, locked }: Preparation): Promise<Prepared> {
  const [facts, evaluateMaxPods] = await Promise.all([awaited, loadMaxPodsEvaluator(loaded.config), locked]);
  recordFacts(facts, world.record);
  const node = resolveNode(loaded.config, facts, evaluateMaxPods);
  const plan = planFor(machine, render(node));
  const [observed, ofContainerd] = await world.phase("observe", () => Promise.all([look(flags, machine, plan, world, addNote), askContainerd(flags, machine, plan, node, { world, addNote })]));
  const findings = judgeFindings([...ofContainerd, ...preflight(node)], flags.preflight);
  return { inputs: loaded.inputs, facts, node, findings, plan, observed, comparison: compare(plan, observed, machine.owner) };
}

/** An image that is being built has no systemd to start anything. */
function planFor(machine: Machine, plan: Plan): Plan {
  return machine.hasUnits ? plan : { ...plan, units: [] };
}

/** Replayed facts are of another machine: what is on this one is of no interest. */
async function look(flags: BootstrapFlags, machine: Machine, plan: Plan, world: World, note: AddNote): Promise<Observed> {
  if (flags.facts !== undefined) return NOTHING_OBSERVED;
  const observed = await observe(machine, plan, { note, signal: world.signal });
  const isKubeletKnown = observed.units.get("kubelet.service")?.loadState === "loaded";
  // Before a real run's first step this is looked at anyway.
  if (flags.dryRun && isKubeletKnown) await refuseForeignExecStart(machine, managedPaths(plan, observed), "before-writing", await configuredUnit(world.signal));
  return observed;
}

/** Replayed facts are of a machine with another containerd. */
async function askContainerd(flags: BootstrapFlags, machine: Machine, plan: Plan, node: Node, { world, addNote }: Pick<Preparation, "world" | "addNote">): Promise<readonly Finding[]> {
  return flags.facts === undefined ? checkContainerd(machine, plan, node, addNote, world.signal) : [];
}

async function show(prepared: Prepared, notes: readonly Note[], flags: BootstrapFlags, machine: Machine, world: World): Promise<void> {
  const { plan, node } = prepared;
  const view = { ...prepared, notes: [...notes, ...node.notes], units: plan.units.map(({ name }) => name), owner: machine.owner };
  world.print(flags.output === "json" ? showJson(view) : await showChanges(view, { explain: flags.explain, colour: world.colour, isDryRun: flags.dryRun }));
}

async function carryOut({ plan, observed, comparison, node }: Prepared, flags: BootstrapFlags, machine: Machine, world: World): Promise<void> {
  const hooks = hooksOf(world);
  const commandLine = flags.args.length === 0 ? undefined : { args: flags.args, environment: flags.environment };
  await world.phase("apply", () => apply(machine, { plan, observed, changes: comparison.changes, commandLine }, hooks));
  if (!machine.hasUnits) return;
  const { wait, waitTimeoutMs: timeoutMs } = flags;
  const awaitsCertificate = node.cluster.isLocalOutpost.value;
  await world.phase("verify", () => verify({ unit: "kubelet.service", wait, timeoutMs, healthz: node.healthz, awaitsCertificate }, hooks));
  await noteFailedUnits(plan.units.filter(({ failure }) => failure === "note").map(({ name }) => name), hooks.note, hooks.signal);
}
