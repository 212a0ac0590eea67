import { resolve } from "node:path";
import { AgentError } from "../errors.ts";
import { parseDuration } from "../lib/duration.ts";
import type { OptionName } from "./options.ts";

/** @throws AgentError "usage" always, with the way to the help as its remedy unless there is a better one */
export function refuseUsage(message: string, remedy = "Run `eks-node-agent --help` for the options."): never {
  throw new AgentError("usage", message, { remedy });
}

/** Where bootstrap.sh's own words belong on a command line of `migrate`. */
export const AFTER_DASHES = "Put the words of bootstrap.sh after two dashes, as in `eks-node-agent migrate -- my-cluster --ip-family ipv4`.";

/** @throws AgentError "usage" for a word that is none of `choices` */
export function parseChoice<Choice extends string>(name: OptionName, word: string | undefined, choices: readonly Choice[]): Choice | undefined {
  if (word === undefined) return undefined;
  const choice = choices.find((candidate) => candidate === word);
  return choice ?? refuseUsage(`Cannot use "${word}" as --${name}: expected ${listChoices(choices)}`);
}

/** "a, b or c" */
export function listChoices(choices: readonly string[]): string {
  const last = choices.at(-1) ?? "";
  return choices.length < 2 ? last : `${choices.slice(0, -1).join(", ")} or ${last}`;
}

// The longest that a timer of Node.js can wait; a longer one fires at once.
const LONGEST_MS = 2 ** 31 - 1;

/**
 * "500ms", "90s", "1h30m", and a number of seconds, in milliseconds.
 *
 * @throws AgentError "usage" for anything else, for no time at all, and for more than 24 days
 */
export function parseWait(name: OptionName, word: string): number {
  const nanoseconds = parseDuration(/^\d{1,20}$/.test(word) ? `${word}s` : word);
  const milliseconds = Number((nanoseconds ?? 0n) / 1_000_000n);
  if (milliseconds >= 1 && milliseconds <= LONGEST_MS) return milliseconds;
  return refuseUsage(`Cannot use "${word}" as --${name}: expected a time such as 500ms, 90s or 10m, and at most 24 days`);
}

/**
 * A place to read NodeConfig documents from, its path absolute: the manifest repeats it in another working directory.
 * What follows file:// is the path as it is, relative to the working directory unless it begins with a slash.
 *
 * @throws AgentError "usage" for any other kind of address
 */
export function parseConfigSource(word: string): string {
  if (word === "imds://user-data") return word;
  const [, path = ""] = /^file:\/\/(.+)$/s.exec(word) ?? [];
  if (path !== "") return `file://${resolve(path)}`;
  return refuseUsage(`Cannot use "${word}" as --config-source: expected imds://user-data, or file:// and the path of a file or folder`);
}
