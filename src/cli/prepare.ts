import { CONFIGURED_UNIT, refuseForeignExecStart } from "../apply/foreign-drop-ins.ts";
import type { Machine } from "../apply/machine.ts";
import { managedPaths } from "../apply/managed-paths.ts";
import { observe } from "../apply/observe.ts";
import { compare } from "../plan/compare.ts";
import type { Comparison, Observed, Plan } from "../plan/plan.ts";
import { type Finding, preflight } from "../preflight/preflight.ts";
import { render } from "../render/plan.ts";
import type { Facts } from "../resolve/facts.ts";
import { type Node, resolveNode } from "../resolve/node.ts";
import type { AddNote } from "../resolve/notes.ts";
import type { BootstrapFlags } from "./bootstrap-flags.ts";
import { checkContainerd } from "./check-containerd.ts";
import type { FactsUnderWay } from "./facts-of-run.ts";
import { judgeFindings } from "./judge-findings.ts";
import type { LoadedConfig } from "./load-config.ts";
import { loadMaxPodsEvaluator } from "./max-pods-evaluator.ts";
import { NOTHING_OBSERVED } from "./nothing-observed.ts";
import type { World } from "./world.ts";

export type Preparation = {
  readonly flags: BootstrapFlags;
  readonly machine: Machine;
  readonly loaded: LoadedConfig;
  readonly facts: FactsUnderWay;
  readonly world: World;
  readonly addNote: AddNote;
  /** Settled when no other run is at work; nothing of the machine may be observed before. */
  readonly locked: Promise<void> | undefined;
};

/** All that is decided before anything is changed. */
export type Prepared = {
  readonly inputs: readonly string[];
  readonly facts: Facts;
  readonly node: Node;
  readonly findings: readonly Finding[];
  readonly plan: Plan;
  readonly observed: Observed;
  readonly comparison: Comparison;
};

/**
 * Plans by these facts, and looks at the machine.
 *
 * @throws AgentError when there can be no plan
 */
export async function prepare(facts: Facts, { flags, machine, loaded, world, addNote, locked }: Preparation): Promise<Prepared> {
  const [evaluateMaxPods] = await Promise.all([loadMaxPodsEvaluator(loaded.config), locked]);
  const node = resolveNode(loaded.config, facts, evaluateMaxPods);
  const plan = planFor(machine, render(node));
  const [observed, ofContainerd] = await world.phase("observe", () => Promise.all([look(flags, machine, plan, world, addNote), askContainerd(flags, machine, plan, node, { world, addNote })]));
  const findings = judgeFindings([...ofContainerd, ...preflight(node)], flags.preflight);
  const comparison = compare(plan, observed, machine.owner);
  for (const { code, message } of comparison.notes) addNote(code, message);
  return { inputs: loaded.inputs, facts, node, findings, plan, observed, comparison };
}

/** An image that is being built has no systemd to start anything. */
function planFor(machine: Machine, plan: Plan): Plan {
  return machine.hasUnits ? plan : { ...plan, units: [], disks: undefined };
}

/** Replayed facts are of another machine: what is on this one is of no interest. */
async function look(flags: BootstrapFlags, machine: Machine, plan: Plan, world: World, note: AddNote): Promise<Observed> {
  if (flags.facts !== undefined) return NOTHING_OBSERVED;
  const observed = await observe(machine, plan, { note, signal: world.signal });
  const unit = observed.units.get(CONFIGURED_UNIT.name);
  if (unit !== undefined) refuseForeignExecStart(machine, managedPaths(plan, observed), "before-writing", unit.command);
  return observed;
}

/** Replayed facts are of a machine with another containerd. */
async function askContainerd(flags: BootstrapFlags, machine: Machine, plan: Plan, node: Node, { world, addNote }: Pick<Preparation, "world" | "addNote">): Promise<readonly Finding[]> {
  return flags.facts === undefined ? checkContainerd(machine, plan, node, addNote, world.signal) : [];
}
