import { type Machine, machineAt } from "../apply/machine.ts";
import type { CommandLineConfig } from "../config/flags-to-config.ts";
import type { NodeConfig } from "../config/node-config.ts";
import { AgentError } from "../errors.ts";
import type { Facts } from "../resolve/facts.ts";
import type { AddNote } from "../resolve/notes.ts";
import type { BootstrapFlags } from "./bootstrap-flags.ts";
import type * as configuring from "./configure.ts";
import { type FactsOfRun, type FactsUnderWay, openFacts } from "./facts-of-run.ts";
import { type LoadedConfig, loadConfig, readCommandLine } from "./load-config.ts";
import { lockMeanwhile } from "./lock-meanwhile.ts";
import { recordConfig, recordedNotes } from "./record-preparation.ts";
import { withRecordedCommand } from "./recorded-command.ts";
import type { World } from "./world.ts";

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
  const timeToSpare = Promise.withResolvers<void>();
  const lock = flags.dryRun ? undefined : lockMeanwhile(machine, timeToSpare.promise, { timeoutMs: flags.deadlineMs, signal: world.signal });
  const asked = openFacts(flags, { world, addNote, words: commandLine, locked: lock?.held ?? timeToSpare.promise, onTimeToSpare: timeToSpare.resolve });
  try {
    const loaded = await world.phase("config", () => configOfRun(flags, commandLine, machine, asked, addNote));
    if (loaded !== undefined) {
      const facts = startFacts(flags, loaded, asked, world);
      void facts.facts.finally(timeToSpare.resolve).catch(() => undefined);
      const { configure } = await loadWhileAsking(timeToSpare.promise);
      return await configure({ flags, machine, loaded, facts, world, addNote, locked: lock?.held }, notes);
    }
  } finally {
    await Promise.all([asked.close(), lock?.release()]);
  }
  return (await import("./nothing-configured.ts")).nothingConfigured(flags, machine, { notes, add: addNote }, world);
}

/** Replayed facts are of another machine: of this one only what is named is read. */
async function configOfRun(flags: BootstrapFlags, words: CommandLineConfig, { root }: Machine, { userData, expectDocuments, askAhead }: FactsOfRun, addNote: AddNote): Promise<LoadedConfig | undefined> {
  if (flags.facts !== undefined) return loadConfig(flags, { root: undefined, userData }, addNote, words);
  askAhead();
  return loadConfig(flags, { root, userData, onNodeConfig: expectDocuments }, addNote, words);
}

/** Whoever needs them waits for them, and hears of the failure. */
function startFacts(flags: BootstrapFlags, { config, inputs }: LoadedConfig, asked: FactsOfRun, world: World): FactsUnderWay {
  recordConfig({ config, inputs }, world.record);
  const { facts: answers, expected } = flags.facts === undefined ? asked.gather(config) : { facts: replay(flags.facts, config), expected: NEVER };
  const facts = world.phase("facts", () => answers);
  facts.catch(() => undefined);
  return { facts, expected, close: asked.close };
}

const NEVER = new Promise<never>(() => undefined);

async function replay(path: string, config: NodeConfig): Promise<Facts> {
  return (await import("./replayed-facts.ts")).replayFacts(path, config);
}

/**
 * Loads the rest of the run, which costs time: before AWS is asked every moment of it would be waited for, and while it
 * answers there is time to spare.
 */
async function loadWhileAsking(isTime: Promise<unknown>): Promise<typeof configuring> {
  await isTime;
  return import("./configure.ts");
}

function refuseUnprivileged(flags: BootstrapFlags, machine: Machine, world: World): void {
  if (flags.dryRun || world.isRoot || machine.root !== "") return;
  throw new AgentError("not-root", "Cannot configure this node as an ordinary user: its files and units belong to root", {
    remedy: "Run it as root, or add --dry-run to see what it would do.",
  });
}
