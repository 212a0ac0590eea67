import { readShellWord, type ShellWord } from "./shell-words.ts";

/** One simple command of a script. */
export type ShellCommand = {
  /** Without redirections. Empty for a bracket, and for a line that only redirects. */
  readonly words: readonly ShellWord[];
  /** What stands between the command before and this one. */
  readonly after: Separator;
  /** As it is written, on its lines, its redirections and here-documents included. */
  readonly text: string;
  /** Of its first word, from 1. */
  readonly line: number;
};

/** "" is a new line, or the beginning. */
export type Separator = "" | "&&" | "||" | "|" | "(" | ")";

/** The simple commands of a shell script, in the order in which they are written. Nothing is run, and nothing expanded. */
export function readShellCommands(script: string): readonly ShellCommand[] {
  const reader: Reader = { script, at: 0, hereDocuments: [], counted: { to: 0, line: 1 } };
  const commands: ShellCommand[] = [];
  let after: Separator = "";
  while (reader.at < script.length) {
    const command = readCommand(reader, after);
    if (command.words.length > 0 || command.text !== "") commands.push(command);
    const separator = readSeparator(reader);
    if (separator === "(" || separator === ")") commands.push({ words: [], after: separator, text: "", line: lineAt(reader, reader.at - 1) });
    after = separator === "(" || separator === ")" ? "" : separator;
  }
  return commands;
}

type Reader = {
  readonly script: string;
  at: number;
  /** Those whose text begins on the next line. */
  hereDocuments: { readonly end: string; readonly hasTabs: boolean }[];
  /** The line that a place before all that is yet to be asked for is on. */
  counted: { readonly to: number; readonly line: number };
};

function readCommand(reader: Reader, after: Separator): ShellCommand {
  skipBlank(reader);
  const { script, at: start } = reader;
  const words: ShellWord[] = [];
  while (reader.at < script.length) {
    const before = reader.at;
    if (!readRedirection(reader)) words.push(...readOneWord(reader));
    if (reader.at === before) break;
    skipBlank(reader);
  }
  return { words, after, text: script.slice(start, reader.at).trim(), line: lineAt(reader, start) };
}

function readOneWord(reader: Reader): readonly ShellWord[] {
  const { word, end } = readShellWord(reader.script, reader.at);
  if (end === reader.at) return [];
  reader.at = end;
  return [word];
}

/** White space, lines that go on, and a comment. */
function skipBlank(reader: Reader): void {
  const start = reader.at;
  let length: number;
  do {
    length = lengthOfBlank(reader.script, reader.at);
    reader.at += length;
  } while (length > 0);
  const isAtWord = reader.at > start || start === 0 || /[\n;&|()]/.test(reader.script[start - 1] ?? "");
  if (isAtWord && reader.script[reader.at] === "#") reader.at = endOfLine(reader.script, reader.at);
}

function lengthOfBlank(script: string, at: number): number {
  if (/[ \t\r]/.test(script[at] ?? "")) return 1;
  return /^\\\r?\n/.exec(script.slice(at, at + 3))?.[0].length ?? 0;
}

function endOfLine(script: string, at: number): number {
  const end = script.indexOf("\n", at);
  return end === -1 ? script.length : end;
}

/** 2>&1, >>file, <<END, <<<word, &>file; not the brackets of <(…) and >(…), which are words. */
const REDIRECTION = /^(?:\d*(<<-|<<<|<<|<>|<&|>>|>&|>\||[<>](?!\())|&>>?)/;

function readRedirection(reader: Reader): boolean {
  const match = REDIRECTION.exec(reader.script.slice(reader.at, reader.at + 20));
  if (match === null) return false;
  reader.at += match[0].length;
  skipBlank(reader);
  const [target] = readOneWord(reader);
  const end = target?.pieces.map((piece) => (piece.kind === "text" ? piece.text : piece.kind === "variable" ? `$${piece.name}` : "")).join("") ?? "";
  if (match[1] === "<<" || match[1] === "<<-") reader.hereDocuments.push({ end, hasTabs: match[1] === "<<-" });
  return true;
}

const SEPARATOR = /^(?:\|\||&&|\|&|;;&|;;|;&|[;&|()\n])/;

const MEANINGS: Readonly<Record<string, Separator>> = { "||": "||", "&&": "&&", "|": "|", "|&": "|", "(": "(", ")": ")" };

function readSeparator(reader: Reader): Separator {
  // A character that is neither a word nor a separator would be read for ever.
  const [separator = reader.script[reader.at] ?? ""] = SEPARATOR.exec(reader.script.slice(reader.at, reader.at + 3)) ?? [];
  reader.at += separator.length;
  if (separator === "\n") skipHereDocuments(reader);
  return MEANINGS[separator] ?? "";
}

function skipHereDocuments(reader: Reader): void {
  for (const { end, hasTabs } of reader.hereDocuments.splice(0)) {
    let line: string;
    do {
      const next = endOfLine(reader.script, reader.at);
      line = reader.script.slice(reader.at, next).replace(/\r$/, "");
      reader.at = Math.min(next + 1, reader.script.length);
    } while ((hasTabs ? line.replace(/^\t+/, "") : line) !== end && reader.at < reader.script.length);
  }
}

/** Asked for places one after the other. */
function lineAt(reader: Reader, at: number): number {
  const { to, line } = reader.counted;
  reader.counted = { to: at, line: line + reader.script.slice(to, at).split("\n").length - 1 };
  return reader.counted.line;
}
