import { kubeletFlag } from "../data/kubelet-flag-lookup.ts";
import { didYouMean } from "../lib/nearest.ts";
import { bootstrapFlags, configFlags, type BootstrapFlags, type ConfigFlags } from "./bootstrap-flags.ts";
import { readEnvironment, type Environment } from "./environment.ts";
import { refuseUsage } from "./flag-values.ts";
import type { Given } from "./given.ts";
import { COMMANDS, OPTIONS, type CommandName } from "./options.ts";

export type { BootstrapFlags, ConfigFlags };

export type Command =
  | { readonly kind: "bootstrap"; readonly flags: BootstrapFlags }
  | { readonly kind: "facts"; readonly flags: ConfigFlags }
  | { readonly kind: "help"; readonly topic: CommandName }
  | { readonly kind: "version" };

/**
 * @param argv the words after the program's name
 * @throws AgentError "usage" for anything that is not understood to the last word
 */
export async function parseCommandLine(argv: readonly string[], environment: Environment): Promise<Command> {
  const words = await readWords(argv);
  const { command, positionals } = splitCommand(words);
  if (words.given.has("help") || words.positionals.includes("-h")) return { kind: "help", topic: command };
  refuseUnknown(argv, words);
  if (words.fault !== undefined) refuseUsage(words.fault);
  if (words.given.has("version")) return { kind: "version" };
  const [cluster, second] = positionals;
  if (second !== undefined) refuseUsage(`"${second}" is one word too many: the cluster is "${cluster}" already`);
  refuseOptionsOfOthers(command, words.given);
  return command === "facts"
    ? { kind: "facts", flags: configFlags(cluster, words.given, readEnvironment(undefined, environment)) }
    : { kind: "bootstrap", flags: bootstrapFlags(cluster, words.given, readEnvironment(cluster, environment)) };
}

type Words = {
  readonly given: Given;
  readonly positionals: readonly string[];
  /** Words after `--`: never a command, never an option. */
  readonly afterDashes: readonly string[];
  readonly unknown: readonly string[];
  /** A missing or unexpected value. */
  readonly fault: string | undefined;
};

const NAMES = OPTIONS.map(({ name }) => name);
const VALUED = OPTIONS.filter(({ placeholder }) => placeholder !== undefined).map(({ name }) => name);
const SWITCHES = OPTIONS.filter(({ placeholder }) => placeholder === undefined).map(({ name }) => name);

const PARSER_OPTIONS = {
  string: VALUED,
  boolean: SWITCHES,
  narg: Object.fromEntries(OPTIONS.map(({ name, placeholder }) => [name, placeholder === undefined ? 0 : 1])),
  configuration: {
    // The next word is the value whatever it looks like: --kubelet-extra-args '--node-labels=a=b'.
    "nargs-eats-options": true,
    // Unknown options stay among the positional words, where they can be shown as they were typed.
    "unknown-options-as-args": true,
    "populate--": true,
    "boolean-negation": false,
    "camel-case-expansion": false,
    "dot-notation": false,
    "parse-numbers": false,
    "parse-positional-numbers": false,
  },
};

type ParserAnswer = { readonly [name: string]: unknown; readonly _: readonly unknown[]; readonly "--"?: readonly unknown[] };

async function readWords(argv: readonly string[]): Promise<Words> {
  const { Parser } = await import("yargs/helpers");
  const { argv: parsed, error } = Parser.detailed([...argv], PARSER_OPTIONS);
  const { _: positionals, "--": afterDashes = [], ...options }: ParserAnswer = parsed;
  const given = NAMES.filter((name) => Object.hasOwn(options, name)).map((name) => [name, valuesOf(options[name])] as const);
  const unknown = Object.keys(options).filter((key) => !NAMES.some((name) => name === key));
  return {
    given: new Map(given),
    positionals: positionals.map(String),
    afterDashes: afterDashes.map(String),
    unknown: [...positionals.map(String).filter((word) => word.startsWith("-")), ...unknown.map((key) => `--${key}`)],
    fault: error === null ? undefined : faultOf(error.message),
  };
}

function valuesOf(value: unknown): string[] {
  return [value].flat().filter((item) => typeof item === "string");
}

/** The sentence for one of yargs's own, which end in the option's name. */
function faultOf(message: string): string {
  const name = message.slice(message.lastIndexOf(" ") + 1);
  return message.startsWith("Not enough") ? `--${name} needs a value, and is the last word` : `--${name} takes no value`;
}

// A cluster that is named like a command needs the command's name before its own.
function splitCommand({ positionals, afterDashes }: Words): { readonly command: CommandName; readonly positionals: readonly string[] } {
  const command = COMMANDS.find(({ name }) => name === positionals[0])?.name;
  const rest = command === undefined ? positionals : positionals.slice(1);
  // An empty word is a shell variable that was not set.
  return { command: command ?? "bootstrap", positionals: [...rest, ...afterDashes].filter((word) => word !== "") };
}

function refuseUnknown(argv: readonly string[], { given, unknown }: Words): void {
  const [first] = unknown;
  if (first === undefined) return;
  const word = firstUnknownWord(argv, given) ?? first;
  const name = word.replace(/^-+/, "").replace(/=.*$/s, "");
  const typed = word.replace(/=.*$/s, "");
  if (kubeletFlag(name) === undefined) refuseUsage(`There is no option ${typed}${didYouMean(name, NAMES, "--")}`);
  refuseUsage(`There is no option ${typed}: it is a flag of kubelet`, `Give it inside --kubelet-extra-args, as in --kubelet-extra-args '--${name}=…'.`);
}

/** The first word that looks like an option and is neither one of ours nor the value of one. */
function firstUnknownWord(argv: readonly string[], given: Given): string | undefined {
  const values = new Set([...given.values()].flat());
  const known = new Set(NAMES.map((name) => `--${name}`));
  return argv.find((word) => word.startsWith("-") && word !== "--" && !values.has(word) && !known.has(word.replace(/=.*$/s, "")));
}

function refuseOptionsOfOthers(command: CommandName, given: Given): void {
  const foreign = OPTIONS.find((option) => given.has(option.name) && !option.commands.includes(command));
  if (foreign !== undefined) refuseUsage(`--${foreign.name} is no option of ${command}`, `Run \`eks-node-agent ${command} --help\` for its options.`);
}
