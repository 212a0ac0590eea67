import { machineAt } from "../apply/machine.ts";
import { printJson } from "../lib/json.ts";
import { noteList } from "../resolve/notes.ts";
import type { ConfigFlags } from "./bootstrap-flags.ts";
import { gatherFactsOf } from "./facts-of-run.ts";
import { loadConfig, NO_CONFIG } from "./load-config.ts";
import type { World } from "./world.ts";

/**
 * Prints the facts that a bootstrap with the same words would go by, for `--facts`. Without a cluster's name they are
 * those that no cluster is needed for.
 *
 * @returns the exit status
 */
export async function showFacts(flags: ConfigFlags, world: World): Promise<number> {
  const { notes, add: addNote } = noteList();
  const loaded = (await loadConfig(flags, machineAt(flags.root), addNote)) ?? NO_CONFIG;
  const facts = await world.phase("facts", () => gatherFactsOf(flags, loaded, { world, addNote, locked: undefined }));
  for (const note of notes) world.log.warn(note.message, { note: note.code });
  world.print(printJson(facts));
  return 0;
}
