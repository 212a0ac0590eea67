import { bootstrapFlags, configFlags, type BootstrapFlags, type ConfigFlags } from "./bootstrap-flags.ts";
import type { CheckFlags } from "./check-flags.ts";
import { shellOf, type Shell } from "./completion-shell.ts";
import { readEnvironment, type Environment } from "./environment.ts";
import { AFTER_DASHES, refuseUsage } from "./flag-values.ts";
import type { Given } from "./given.ts";
import type { ImdsFlags } from "./imds-flags.ts";
import type { MigrateFlags } from "./migrate-flags.ts";
import type { MaxPodsFlags } from "./max-pods-flags.ts";
import { COMMANDS, OPTIONS, type CommandName } from "./options.ts";
import type { ReportFlags } from "./report-flags.ts";
import type { PullFlags } from "./pull-flags.ts";
import type { TokenFlags } from "./token-flags.ts";

export type { BootstrapFlags, CheckFlags, ConfigFlags, ImdsFlags, MaxPodsFlags, MigrateFlags, ReportFlags, TokenFlags };

export type Command =
  | { readonly kind: "bootstrap"; readonly flags: BootstrapFlags }
  | { readonly kind: "facts"; readonly flags: ConfigFlags }
  | { readonly kind: "check"; readonly flags: CheckFlags }
  | { readonly kind: "report"; readonly flags: ReportFlags }
  | { readonly kind: "migrate"; readonly flags: MigrateFlags }
  | { readonly kind: "token"; readonly flags: TokenFlags }
  | { readonly kind: "imds"; readonly flags: ImdsFlags }
  | { readonly kind: "max-pods"; readonly flags: MaxPodsFlags }
  | { readonly kind: "pull-sandbox-image"; readonly flags: PullFlags }
  | { readonly kind: "completion"; readonly shell: Shell }
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
  if (command !== "max-pods") await refuseUnknown(argv, words, command);
  if (words.fault !== undefined) refuseUsage(words.fault);
  if (words.given.has("version")) return { kind: "version" };
  refuseOptionsOfOthers(command, words.given);
  return readCommand(command, positionals, words, environment);
}

/** What reads the flags of one command alone is loaded for that one only. */
async function readCommand(kind: CommandName, positionals: readonly string[], { given, positionals: before, afterDashes }: Words, environment: Environment): Promise<Command> {
  switch (kind) {
    case "bootstrap": {
      const cluster = atMostOne(positionals);
      return { kind, flags: bootstrapFlags(cluster, given, readEnvironment(cluster, environment)) };
    }
    case "facts":
      return { kind, flags: configFlags(atMostOne(positionals), given, readEnvironment(undefined, environment)) };
    case "check":
      return { kind, flags: (await import("./check-flags.ts")).checkFlags(positionals, given) };
    case "report":
      return { kind, flags: (await import("./report-flags.ts")).reportFlags(positionals, given) };
    case "migrate":
      return { kind, flags: (await import("./migrate-flags.ts")).migrateFlags(before.slice(1), afterDashes, given, environment) };
    case "token":
      return { kind, flags: (await import("./token-flags.ts")).tokenFlags(positionals, given, environment) };
    case "imds":
      return { kind, flags: (await import("./imds-flags.ts")).imdsFlags(positionals, given, environment) };
    case "max-pods":
      return { kind, flags: (await import("./max-pods-flags.ts")).maxPodsFlags(positionals, given) };
    case "pull-sandbox-image":
      return { kind, flags: (await import("./pull-flags.ts")).pullFlags(positionals, given) };
    case "completion":
      return { kind, shell: shellOf(positionals) };
  }
}

function atMostOne([cluster, second]: readonly string[]): string | undefined {
  if (second !== undefined) refuseUsage(`"${second}" is one word too many: the cluster is "${cluster}" already`);
  return cluster;
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

async function refuseUnknown(argv: readonly string[], { given, unknown }: Words, command: CommandName): Promise<void> {
  // To check, a dash alone is standard input.
  const mayBeOption = (word: string): boolean => word !== "-" || command !== "check";
  const [first] = unknown.filter(mayBeOption);
  if (first === undefined) return;
  const [{ kubeletFlag }, { didYouMean }] = await Promise.all([import("../data/kubelet-flag-lookup.ts"), import("../lib/nearest.ts")]);
  const word = firstUnknownWord(argv.filter(mayBeOption), given) ?? first;
  const name = word.replace(/^-+/, "").replace(/=.*$/s, "");
  const typed = word.replace(/=.*$/s, "");
  const taken = OPTIONS.filter(({ commands }) => commands.includes(command)).map((option) => option.name);
  if (kubeletFlag(name) === undefined) refuseUsage(`There is no option ${typed}${didYouMean(name, taken, "--")}`, command === "bootstrap" ? undefined : helpOf(command));
  refuseUsage(`There is no option ${typed}: it is a flag of kubelet`, `Give it inside --kubelet-extra-args, as in --kubelet-extra-args '--${name}=…'.`);
}

/** The first word that looks like an option and is neither one of ours nor the value of one. */
function firstUnknownWord(argv: readonly string[], given: Given): string | undefined {
  const values = new Set([...given.values()].flat());
  const known = new Set(NAMES.map((name) => `--${name}`));
  return argv.find((word) => word.startsWith("-") && word !== "--" && !values.has(word) && !known.has(word.replace(/=.*$/s, "")));
}

function refuseOptionsOfOthers(command: CommandName, given: Given): void {
  const own = OPTIONS.filter(({ commands }) => commands.includes(command)).map(({ name }) => name);
  const foreign = OPTIONS.find(({ name }) => given.has(name) && !own.includes(name));
  if (foreign !== undefined) refuseUsage(`--${foreign.name} is no option of ${command}`, command === "migrate" ? AFTER_DASHES : helpOf(command));
}

function helpOf(command: CommandName): string {
  return `Run \`eks-node-agent ${command} --help\` for its options.`;
}
