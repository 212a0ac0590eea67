import { posix } from "node:path";
import type { CommandName } from "./options.ts";

/** Names of scripts of the AL2 image, which the executable has as links, and the commands that take their places. */
const LINKS: Readonly<Record<string, CommandName>> = { imds: "imds", "max-pods-calculator.sh": "max-pods" };

/** The command that the program was called by, as the first words of its command line: none unless it was called by a link. */
export function commandOfName(argv0: string): readonly CommandName[] {
  const name = posix.basename(argv0);
  const command = Object.hasOwn(LINKS, name) ? LINKS[name] : undefined;
  return command === undefined ? [] : [command];
}

/**
 * What the scripts exit with whatever goes wrong, for a command that takes the place of one. (That imds ends with IMDS's
 * status modulo 256 is an accident of its shell.)
 */
export function scriptExitStatus([command]: readonly string[]): number | undefined {
  return command !== undefined && Object.values(LINKS).some((name) => name === command) ? 1 : undefined;
}
