import { recordedCommandLine } from "../apply/manifest.ts";
import type { Machine } from "../apply/machine.ts";
import type { AddNote } from "../resolve/notes.ts";
import type { BootstrapFlags } from "./bootstrap-flags.ts";
import { parseCommandLine } from "./flags.ts";

/**
 * The flags to run with. A run that is told nothing, such as the unit's after a reboot, repeats how the node was
 * configured by command line before, unless it is told to forget that.
 */
export async function withRecordedCommand(flags: BootstrapFlags, machine: Machine, addNote: AddNote): Promise<BootstrapFlags> {
  if (flags.args.length > 0 || flags.forget || flags.facts !== undefined) return flags;
  const recorded = recordedCommandLine(machine, addNote);
  if (recorded === undefined) return flags;
  const command = await parseCommandLine(recorded.args, recorded.environment);
  if (command.kind !== "bootstrap") throw new Error(`the manifest records the command ${command.kind}`);
  addNote("recorded-command", "This run repeats the command line that this node was configured by before. Run with --forget to drop it.");
  const { cluster, options, environment, configSources, kubeletConfigFile, nodeName, nodeNameSource, reserveFor, authenticator, args } = command.flags;
  const judgement = { strict: flags.strict || command.flags.strict, preflight: flags.preflight === "warn" ? flags.preflight : command.flags.preflight };
  return { ...flags, cluster, options, environment, configSources, kubeletConfigFile, nodeName, nodeNameSource, reserveFor, authenticator, args, ...judgement };
}
