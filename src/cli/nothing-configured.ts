import { acquireLock } from "../apply/lock.ts";
import type { Machine } from "../apply/machine.ts";
import { readManifest } from "../apply/manifest.ts";
import { writeManifest } from "../apply/write-manifest.ts";
import { AgentError } from "../errors.ts";
import type { AddNote, Note } from "../resolve/notes.ts";
import type { BootstrapFlags } from "./bootstrap-flags.ts";
import type { World } from "./world.ts";

type NoteList = { readonly notes: readonly Note[]; readonly add: AddNote };

/**
 * What a run comes to that finds no configuration anywhere: on a node that is configured already nothing changes, but for
 * the command line that it may be told to forget.
 *
 * @returns the exit status
 * @throws AgentError "no-config" on any other machine
 */
export async function nothingConfigured(flags: BootstrapFlags, machine: Machine, { notes, add: addNote }: NoteList, world: World): Promise<number> {
  const manifest = readManifest(machine, addNote);
  if (Object.keys(manifest.files).length === 0) throw noConfig(notes);
  if (flags.forget && !flags.dryRun) await forgetCommandLine(flags, machine, addNote, world);
  world.print("No source of configuration says anything, and this node was configured before: nothing is changed.\n");
  return 0;
}

async function forgetCommandLine(flags: BootstrapFlags, machine: Machine, addNote: AddNote, world: World): Promise<void> {
  const lock = await acquireLock(machine, { timeoutMs: flags.deadlineMs, signal: world.signal });
  try {
    const { commandLine: _, ...rest } = readManifest(machine, addNote);
    await writeManifest(machine, rest);
  } finally {
    await lock.release();
  }
}

/** What was noted may tell why a source says nothing. */
function noConfig(notes: readonly Note[]): AgentError {
  return new AgentError("no-config", "Nothing says which cluster this node shall join: there is no cluster on the command line and no document in any source of configuration", {
    remedy: "Name the cluster, as in `eks-node-agent bootstrap my-cluster`, or give a NodeConfig in user data or as a file in /etc/eks/node-agent.d.",
    lines: notes.map(({ message }) => message),
  });
}
