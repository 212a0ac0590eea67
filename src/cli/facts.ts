import { machineAt } from "../apply/machine.ts";
import { printJson } from "../lib/json.ts";
import { noteList } from "../resolve/notes.ts";
import type { ConfigFlags } from "./bootstrap-flags.ts";
import { openFacts } from "./facts-of-run.ts";
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
  const asked = openFacts(flags, { world, addNote, locked: undefined });
  try {
    asked.askAhead();
    const loaded = await loadConfig(flags, { root: machineAt(flags.root).root, userData: asked.userData }, addNote);
    const facts = await world.phase("facts", () => asked.gather((loaded ?? NO_CONFIG).config).facts);
    for (const note of notes) world.log.warn(note.message, { note: note.code });
    world.print(printJson(facts));
    return 0;
  } finally {
    await asked.close();
  }
}
