import { expandText, expandWord, type Lookup, type ShellWord } from "../lib/shell-words.ts";
import { OVERRIDES } from "./gather-overrides.ts";
import type { Loss } from "./loss.ts";
import { SETTINGS } from "./settings.ts";

/** A call of bootstrap.sh, or of the agent in its place, as far as its words are known. */
export type BootstrapCall = {
  /** Without the program's name. */
  readonly words: readonly string[];
  /** Variables that the call's environment holds beside those of the system. */
  readonly environment: Readonly<Record<string, string>>;
  /** "user-data, line 8" */
  readonly source: string;
};

export type CallReading = { readonly call: BootstrapCall; readonly losses: readonly Loss[] };

/** A variable and the word that is its value, or the value itself where it was known before; undefined where nobody knows it. */
export type CallVariables = ReadonlyMap<string, ShellWord | string | undefined>;

/** @param source where the call is written: "user-data, line 8" */
export function readCall(words: readonly ShellWord[], variables: CallVariables, lookup: Lookup, source: string): CallReading {
  const args = argumentsOf(words, lookup);
  const environment = environmentOf(variables, lookup);
  const losses = [...args.lost, ...environment.lost].map((what) => ({ what: `${source}: ${what}`, instead: BY_HAND }));
  return { call: { words: args.known, environment: environment.known, source }, losses };
}

const BY_HAND =
  "Only a shell can tell what this is, and none was run. Write its value into the NodeConfig by hand; the cluster's endpoint, CA and CIDR are looked up by the agent where they are not given.";

type Sorted<Known> = { readonly known: Known; readonly lost: readonly string[] };

/** Each option of bootstrap.sh takes one value: with the value, its option is lost. */
function argumentsOf(words: readonly ShellWord[], lookup: Lookup): Sorted<readonly string[]> {
  const known: string[] = [];
  const lost: string[] = [];
  let isValueNext = false;
  for (const word of words) {
    const fields = expandWord(word, lookup);
    if (fields === undefined) {
      lost.push(isValueNext ? `${known.pop() ?? ""} ${word.text}` : word.text);
      isValueNext = false;
    }
    for (const field of fields ?? []) {
      known.push(field);
      isValueNext = !isValueNext && /^--[^=]+$/.test(field);
    }
  }
  return { known, lost };
}

const READ_BY_BOOTSTRAP: ReadonlySet<string> = new Set([
  ...[...SETTINGS, ...OVERRIDES].map(({ variable }) => variable),
  "KUBELET_EXTRA_ARGS",
  "SERVICE_IPV4_CIDR",
  "SERVICE_IPV6_CIDR",
  "CONTAINERD_CONFIG_FILE",
]);

function environmentOf(variables: CallVariables, lookup: Lookup): Sorted<Readonly<Record<string, string>>> {
  const read = [...variables].filter(([name]) => READ_BY_BOOTSTRAP.has(name));
  const values = read.map(([name, value]) => [name, typeof value === "object" ? expandText(value, lookup) : value] as const);
  return {
    known: Object.fromEntries(values.filter((entry): entry is [string, string] => entry[1] !== undefined)),
    lost: values.filter(([, value]) => value === undefined).map(([name]) => `the environment's ${name}`),
  };
}
