import { apply, managedPaths } from "../apply/apply.ts";
import { refuseForeignExecStart } from "../apply/foreign-drop-ins.ts";
import { type Machine, machineAt } from "../apply/machine.ts";
import { observe } from "../apply/observe.ts";
import { noteFailedUnits } from "../apply/units.ts";
import { verify } from "../apply/verify.ts";
import type { CommandLineConfig } from "../config/flags-to-config.ts";
import { AgentError } from "../errors.ts";
import { readNamedFile } from "../gather/documents.ts";
import { factsFromFile } from "../gather/replay.ts";
import { compare } from "../plan/compare.ts";
import type { Comparison, Observed, Plan } from "../plan/plan.ts";
import { type Finding, preflight } from "../preflight/preflight.ts";
import { render } from "../render/plan.ts";
import type { Facts } from "../resolve/facts.ts";
import { type Node, resolveNode } from "../resolve/node.ts";
import type { AddNote, Note } from "../resolve/notes.ts";
import type { BootstrapFlags } from "./bootstrap-flags.ts";
import { checkContainerd } from "./check-containerd.ts";
import { type FactsOfRun, openFacts } from "./facts-of-run.ts";
import { hooksOf } from "./hooks.ts";
import { judgeFindings, refuseErrors } from "./judge-findings.ts";
import { type LoadedConfig, loadConfig, readCommandLine } from "./load-config.ts";
import { lockMeanwhile } from "./lock-meanwhile.ts";
import { loadMaxPodsEvaluator } from "./max-pods-evaluator.ts";
import { nothingConfigured } from "./nothing-configured.ts";
import { NOTHING_OBSERVED } from "./nothing-observed.ts";
import { recordConfig, recordedNotes, recordFacts, recordPlan } from "./record-preparation.ts";
import { withRecordedCommand } from "./recorded-command.ts";
import { showChanges } from "./show-changes.ts";
import { showJson } from "./show-json.ts";
import type { World } from "./world.ts";

/** `--detailed-exit-code`: the dry run found changes. */
const WOULD_CHANGE = 2;

/**
 * Configures this node and starts it: config and facts become a plan, the plan is compared with the machine, and the steps
 * in between are taken. A dry run is the same without its last step.
 *
 * @returns the exit status
 * @throws AgentError for what the operator can put right
 */
export async function run(given: BootstrapFlags, world: World): Promise<number> {
  const machine = machineAt(given.root);
  refuseUnprivileged(given, machine, world);
  const { notes, add: addNote } = recordedNotes(world.record);
  const flags = await withRecordedCommand(given, machine, addNote);
  const commandLine = readCommandLine(flags);
  const lock = flags.dryRun ? undefined : lockMeanwhile(machine, flags.deadlineMs, world.signal);
  const asked = openFacts(flags, { world, addNote, locked: lock?.held });
  try {
    const loaded = await world.phase("config", () => configOfRun(flags, commandLine, machine, asked, addNote));
    if (loaded !== undefined) return await configure({ flags, machine, loaded, asked, world, addNote, locked: lock?.held }, notes);
  } finally {
    await Promise.all([asked.close(), lock?.release()]);
  }
  return nothingConfigured(flags, machine, { notes, add: addNote }, world);
}

/** Replayed facts are of another machine: of this one only what is named is read. */
async function configOfRun(flags: BootstrapFlags, words: CommandLineConfig, { root }: Machine, { userData, askAhead }: FactsOfRun, addNote: AddNote): Promise<LoadedConfig | undefined> {
  if (flags.facts !== undefined) return loadConfig(flags, { root: undefined, userData }, addNote, words);
  askAhead();
  return loadConfig(flags, { root, userData }, addNote, words);
}

async function configure(preparation: Preparation, notes: readonly Note[]): Promise<number> {
  const { flags, machine, loaded, world } = preparation;
  recordConfig(loaded, world.record);
  const prepared = await prepare(preparation);
  recordPlan(prepared, world.record);
  await show(prepared, notes, flags, machine, world);
  refuseErrors(prepared.findings);
  if (flags.dryRun) return flags.detailedExitCode && prepared.comparison.changes.length > 0 ? WOULD_CHANGE : 0;
  await carryOut(prepared, flags, machine, world);
  return 0;
}

type Preparation = {
  readonly flags: BootstrapFlags;
  readonly machine: Machine;
  readonly loaded: LoadedConfig;
  readonly asked: FactsOfRun;
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

async function prepare({ flags, machine, loaded, asked, world, addNote, locked }: Preparation): Promise<Prepared> {
  const [facts, evaluateMaxPods] = await Promise.all([world.phase("facts", () => factsFor(flags, loaded, asked)), loadMaxPodsEvaluator(loaded.config), locked]);
  recordFacts(facts, world.record);
  const node = resolveNode(loaded.config, facts, evaluateMaxPods);
  const plan = planFor(machine, render(node));
  const [observed, ofContainerd] = await world.phase("observe", () => Promise.all([look(flags, machine, plan, world, addNote), askContainerd(flags, machine, plan, node, { world, addNote })]));
  const findings = judgeFindings([...ofContainerd, ...preflight(node)], flags.preflight);
  return { inputs: loaded.inputs, facts, node, findings, plan, observed, comparison: compare(plan, observed, machine.owner) };
}

async function factsFor(flags: BootstrapFlags, { config }: LoadedConfig, asked: FactsOfRun): Promise<Facts> {
  if (flags.facts === undefined) return asked.gather(config);
  const { source, text } = await readNamedFile(flags.facts, "option --facts");
  return factsFromFile(text, source);
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
  if (flags.dryRun && isKubeletKnown) await refuseForeignExecStart(machine, managedPaths(plan, observed), "before-writing", world.signal);
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

function refuseUnprivileged(flags: BootstrapFlags, machine: Machine, world: World): void {
  if (flags.dryRun || world.isRoot || machine.root !== "") return;
  throw new AgentError("not-root", "Cannot configure this node as an ordinary user: its files and units belong to root", {
    remedy: "Run it as root, or add --dry-run to see what it would do.",
  });
}
