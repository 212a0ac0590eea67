import { posix } from "node:path";
import { readShellCommands, type ShellCommand } from "../lib/shell-commands.ts";
import { assignmentOf, bareText, expandText, expandWord, type Lookup, type ShellWord } from "../lib/shell-words.ts";
import { type BootstrapCall, type CallReading, readCall } from "./bootstrap-call.ts";
import { KEEP, type Loss } from "./loss.ts";
import { type Statement, statementsOf } from "./script-statements.ts";

/** What a script says that concerns a migration. */
export type ScriptReading = {
  readonly calls: readonly BootstrapCall[];
  /** Calls of which only a shell knows whether they are made. */
  readonly lostCalls: readonly Loss[];
  readonly losses: readonly Loss[];
};

export const EMPTY_READING: ScriptReading = { calls: [], lostCalls: [], losses: [] };

export function joinReadings(readings: readonly ScriptReading[]): ScriptReading {
  return {
    calls: readings.flatMap(({ calls }) => calls),
    lostCalls: readings.flatMap(({ lostCalls }) => lostCalls),
    losses: readings.flatMap(({ losses }) => losses),
  };
}

/** Scripts that a script may call, by path; undefined for one that concerns nobody. */
export type ReadByPath = (path: string) => ScriptReading | undefined;

/**
 * The calls of bootstrap.sh in a script, and its other commands, without running anything: variables are followed as far as they are
 * set to what is known.
 *
 * @param source "user-data part 1"
 */
export function readScript(text: string, source: string, readByPath: ReadByPath = () => undefined): ScriptReading {
  const unread = unreadable(text);
  if (unread !== undefined) return { ...EMPTY_READING, losses: [{ what: `${source}: ${unread}`, instead: KEEP }] };
  return readCommands(readShellCommands(text), (line) => `${source}, line ${line}`, readByPath);
}

/** More than any script in user data is, and little enough to be read in seconds. */
const LONGEST = 1024 * 1024;

/** What a text is that is not read, for another program or too long. */
function unreadable(text: string): string | undefined {
  const [, program = "sh"] = /^#!\s*(.*?)\s*$/m.exec(text.startsWith("#!") ? text : "") ?? [];
  if (!/\b(?:ba|da|k|z)?sh\b/.test(program)) return `a script for ${program}`;
  return text.length > LONGEST ? `a script of ${text.length} characters, too long to be read` : undefined;
}

/** @param placeOf a line in words */
export function readCommands(commands: readonly ShellCommand[], placeOf: (line: number) => string, readByPath: ReadByPath): ScriptReading {
  const script: Script = { variables: new Map(), exported: new Set(), placeOf, readByPath };
  return joinReadings(statementsOf(commands).map((statement) => readStatement(statement, script)));
}

type Script = {
  /** Undefined for what is set to something that is not known. */
  readonly variables: Map<string, string | undefined>;
  readonly exported: Set<string>;
  readonly placeOf: (line: number) => string;
  readonly readByPath: ReadByPath;
};

function readStatement(statement: Statement, script: Script): ScriptReading {
  if (statement.kind === "compound") return readCompound(statement.commands, script);
  const { command } = statement;
  // What runs only where the command before it fails, and what reads another's output.
  return command.after === "||" || command.after === "|" ? readCompound([command], script) : readCommand(command, script);
}

function readCompound(commands: readonly ShellCommand[], script: Script): ScriptReading {
  for (const { words } of commands) forgetAssigned(words, script);
  const call = commands.find(({ words }) => words.some(({ text }) => /(?:^|\/)bootstrap\.sh["']?$/.test(text)));
  if (call !== undefined) return { ...EMPTY_READING, lostCalls: [{ what: show(call, script), instead: DECIDE }] };
  const [first] = commands.filter(({ words }) => words.length > 0);
  const isHarmless = first === undefined || (commands.length === 1 && isWithoutEffect(first));
  return isHarmless ? EMPTY_READING : { ...EMPTY_READING, losses: [{ what: `${show(first, script)}${commands.length > 1 ? " …" : ""}`, instead: KEEP }] };
}

const DECIDE = "Whether this call is made depends on a condition, a loop or a function, which only a shell can tell. Give the words of the call that counts to `eks-node-agent migrate --`.";

function forgetAssigned(words: readonly ShellWord[], { variables }: Script): void {
  for (const word of words) {
    const name = assignmentOf(word)?.name;
    if (name !== undefined) variables.set(name, undefined);
  }
  const loop = bareText(words[0] ?? { pieces: [], text: "" });
  if (loop === "for" || loop === "select" || loop === "read") words.slice(1).forEach((word) => variables.set(word.text, undefined));
}

function show({ text, line }: ShellCommand, { placeOf }: Script): string {
  return `${placeOf(line)}: ${text}`;
}

function readCommand(command: ShellCommand, script: Script): ScriptReading {
  const { words } = command;
  const first = words.findIndex((word) => assignmentOf(word) === undefined);
  if (first === -1) {
    words.forEach((word) => assign(word, script));
    return EMPTY_READING;
  }
  const name = expandText(words[first] ?? words[0] ?? NO_WORD, lookupIn(script));
  const builtin = BUILTINS.get(name ?? "");
  if (builtin !== undefined) return builtin(words.slice(first + 1), script, command) ?? EMPTY_READING;
  return readProgram(command, first, script);
}

const NO_WORD: ShellWord = { pieces: [], text: "" };

function lookupIn({ variables }: Script): Lookup {
  return (name) => variables.get(name);
}

/** A variable that is added to again and again is of no use to a call. */
const LONGEST_VALUE = 128 * 1024;

function assign(word: ShellWord, script: Script): string | undefined {
  const assignment = assignmentOf(word);
  if (assignment === undefined) return undefined;
  const { name, isAppended, value } = assignment;
  const added = expandText(value, lookupIn(script));
  const before = isAppended ? (script.variables.get(name) ?? (script.variables.has(name) ? undefined : "")) : "";
  script.variables.set(name, added === undefined || before === undefined || before.length > LONGEST_VALUE ? undefined : before + added);
  return name;
}

type Builtin = (words: readonly ShellWord[], script: Script, command: ShellCommand) => ScriptReading | undefined;

const assignEach: Builtin = (words, script) => {
  words.forEach((word) => assign(word, script));
  return undefined;
};

const exportEach: Builtin = (words, script) => {
  for (const word of words) script.exported.add(assign(word, script) ?? word.text);
  return undefined;
};

/** They change nothing outside of the script, unless they write to a file. */
const WITHOUT_EFFECT = ["set", "shopt", "exit", "true", ":", "echo", "return", "wait"];

const BUILTINS: ReadonlyMap<string, Builtin> = new Map<string, Builtin>([
  ...WITHOUT_EFFECT.map((name) => [name, keepWriting] as const),
  ["export", exportEach],
  ["declare", (words, ...rest) => (words.some(({ text }) => /^-\w*x/.test(text)) ? exportEach : assignEach)(words, ...rest)],
  ["typeset", assignEach],
  ["local", assignEach],
  ["readonly", assignEach],
  ["unset", (words, { variables }) => words.forEach(({ text }) => variables.set(text, undefined)) ?? undefined],
  ["read", (words, { variables }) => words.forEach(({ text }) => variables.set(text, undefined)) ?? undefined],
]);

function keepWriting(_words: readonly ShellWord[], script: Script, command: ShellCommand): ScriptReading | undefined {
  return isWithoutEffect(command) ? undefined : { ...EMPTY_READING, losses: [{ what: show(command, script), instead: KEEP }] };
}

function isWithoutEffect({ words, text }: ShellCommand): boolean {
  const name = bareText(words[0] ?? NO_WORD) ?? "";
  return WITHOUT_EFFECT.includes(name) && !/(?<![&>\d])>>?\s*(?![&\s])(?!\/dev\/null)/.test(text);
}

/** Programs that run another, with the same arguments. */
const WRAPPERS: ReadonlySet<string> = new Set(["exec", "time", "sudo", "command", "nohup", "env", "bash", "sh", "source", "."]);

function readProgram(command: ShellCommand, first: number, script: Script): ScriptReading {
  const { words, line } = command;
  const at = programAt(words, first, script);
  const program = words[at];
  // Only the script's own output goes elsewhere: `exec > /var/log/user-data.log`.
  if (program === undefined && bareText(words[first] ?? NO_WORD) === "exec") return EMPTY_READING;
  const path = program === undefined ? "" : (expandText(program, lookupIn(script)) ?? "");
  const skipped = at + skippedWords(path, words[at + 1]);
  if (isBootstrap(path, words[at + 1])) return ofCall(readCall(words.slice(skipped + 1), variablesOf(words.slice(0, at), script), lookupIn(script), script.placeOf(line)));
  return script.readByPath(path) ?? { ...EMPTY_READING, losses: [{ what: show(command, script), instead: KEEP }] };
}

function ofCall({ call, losses }: CallReading): ScriptReading {
  return { ...EMPTY_READING, calls: [call], losses };
}

function programAt(words: readonly ShellWord[], first: number, script: Script): number {
  let at = first;
  while (at < words.length) {
    const [text = ""] = expandWord(words[at] ?? NO_WORD, lookupIn(script)) ?? [];
    const isOption = at > first && (text.startsWith("-") || assignmentOf(words[at] ?? NO_WORD) !== undefined);
    if (!isOption && !WRAPPERS.has(posix.basename(text))) break;
    at += 1;
  }
  return at;
}

function isBootstrap(path: string, next: ShellWord | undefined): boolean {
  const name = posix.basename(path);
  return name === "bootstrap.sh" || (name === "eks-node-agent" && next?.text === "bootstrap");
}

function skippedWords(path: string, next: ShellWord | undefined): number {
  return posix.basename(path) === "eks-node-agent" && next?.text === "bootstrap" ? 1 : 0;
}

function variablesOf(before: readonly ShellWord[], { variables, exported }: Script): ReadonlyMap<string, ShellWord | string | undefined> {
  const own = before.map((word) => assignmentOf(word)).filter((assignment) => assignment !== undefined);
  return new Map<string, ShellWord | string | undefined>([
    ...[...exported].map((name) => [name, variables.get(name)] as const),
    ...own.map(({ name, value }) => [name, value] as const),
  ]);
}
