import type { FlagWords } from "../config/node-config.ts";
import type { Problem } from "../config/problems.ts";
import { isBoolFlag, kubeletFlag } from "../data/kubelet-flag-lookup.ts";
import { type Sourced, sourced } from "../lib/sourced.ts";
import { unitFileFault } from "../lib/systemd-quote.ts";

/** One kubelet flag as it will be given: `--name=value`, or `--name` alone when the value is undefined. */
export type Argument = {
  /** Without dashes, with "-" for "_". */
  readonly name: string;
  readonly value: string | undefined;
  readonly source: string;
};

/** What the operator wants kubelet to be given. */
export type UserArguments = {
  /** In the order given. */
  readonly arguments: readonly Argument[];
  /** The last value of each identity flag that is given: the agent has its own of these, and the user's takes its place. */
  readonly identity: ReadonlyMap<string, Sourced<string>>;
};

/** Flags that say who the node is: each must reach kubelet once. */
export const IDENTITY_FLAGS: ReadonlySet<string> = new Set(["hostname-override", "cloud-provider", "kubeconfig", "node-ip", "config"]);

/**
 * Pairs words as kubelet's flag parser does: `--n=v`; `--n v` unless the flag is a bool; `-v N`. Empty items of lists
 * are dropped. A problem is whatever kubelet could not be given: a word that is neither (it would take it for a command
 * and exit), a flag whose value is missing, a character that a unit file cannot carry.
 */
export function parseUserArguments(flags: readonly FlagWords[]): UserArguments & { readonly problems: readonly Problem[] } {
  const parsed = flags.map(pairWords);
  const all = parsed.flatMap((part) => part.arguments);
  return { arguments: all, identity: identityOf(all), problems: parsed.flatMap((part) => part.problems) };
}

/** An empty host name would have kubelet take that of the operating system, which no cloud controller knows. */
function identityOf(args: readonly Argument[]): ReadonlyMap<string, Sourced<string>> {
  const identity = new Map<string, Sourced<string>>();
  for (const { name, value, source } of args) {
    const isGiven = value !== undefined && !(name === "hostname-override" && value === "");
    if (IDENTITY_FLAGS.has(name) && isGiven) identity.set(name, sourced(value, source));
  }
  return identity;
}

function pairWords({ value: words, source }: FlagWords): { readonly arguments: Argument[]; readonly problems: Problem[] } {
  const result = { arguments: [] as Argument[], problems: words.flatMap((word) => unspeakableWord(word, source)) };
  for (let index = 0; index < words.length; index += 1) {
    const word = words[index] ?? "";
    const name = flagName(word);
    if (name === undefined) {
      result.problems.push(strayWord(word, source));
      continue;
    }
    const takesNext = !isWhole(word) && needsValue(name, words[index + 1]);
    if (takesNext) index += 1;
    if (takesNext && words[index] === undefined) result.problems.push(missingValue(name, source));
    const value = takesNext ? words[index] : ownValue(word);
    result.arguments.push({ name, value: value === undefined ? undefined : withoutEmptyItems(name, value), source });
  }
  return result;
}

function flagName(word: string): string | undefined {
  const long = /^--([^-=\s][^=\s]*)(=|$)/.exec(word)?.[1];
  if (long !== undefined) return long.replaceAll("_", "-");
  // Kubelet has two shorthands, -v and -h.
  return /^-([vh])(=.*|\d*)$/s.exec(word)?.[1];
}

function isShortWithValue(word: string): boolean {
  return /^-v\d+$/.test(word);
}

/** Whether the word holds its value. */
function isWhole(word: string): boolean {
  return word.includes("=") || isShortWithValue(word);
}

function ownValue(word: string): string | undefined {
  if (isShortWithValue(word)) return word.slice(2);
  const equals = word.indexOf("=");
  return equals === -1 ? undefined : word.slice(equals + 1);
}

/** An unknown flag takes a word that is no flag, so that the report on it shows the value too. */
function needsValue(name: string, next: string | undefined): boolean {
  const flag = kubeletFlag(name === "h" ? "help" : name);
  if (flag !== undefined) return !isBoolFlag(flag);
  return next !== undefined && !next.startsWith("-");
}

/** "a=b,,c=d," holds two items; kubelet would refuse the empty ones. */
function withoutEmptyItems(name: string, value: string): string {
  const type = kubeletFlag(name)?.type ?? "";
  const isCommaList = type.startsWith("map<") || type === "list<string>" || type.startsWith("list<taint>");
  return isCommaList ? value.split(",").map((item) => item.trim()).filter((item) => item !== "").join(",") : value;
}

function strayWord(word: string, source: string): Problem {
  return {
    source,
    message: `Cannot use the word ${JSON.stringify(word)}: it is no flag, and no flag before it takes a value. Kubelet would take it for a command and exit. Quote values that hold spaces.`,
  };
}

function missingValue(name: string, source: string): Problem {
  return { source, message: `Cannot use the flag --${name}: it needs a value, and nothing follows it.` };
}

function unspeakableWord(word: string, source: string): readonly Problem[] {
  const fault = unitFileFault(word);
  if (fault === undefined) return [];
  return [{ source, message: `Cannot pass on ${JSON.stringify(word)} to kubelet: it contains ${fault}, for which systemd would ignore the whole setting.` }];
}

/** "--name=value" */
export function showArgument({ name, value }: Pick<Argument, "name" | "value">): string {
  return value === undefined ? `--${name}` : `--${name}=${value}`;
}

/** The last value given for a flag, which is the one that counts for flags that are no lists. */
export function lastValue(args: readonly Argument[], name: string): Sourced<string> | undefined {
  const found = args.findLast((argument) => argument.name === name && argument.value !== undefined);
  return found?.value === undefined ? undefined : sourced(found.value, found.source);
}
