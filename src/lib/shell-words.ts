/**
 * A word of a shell script as far as it can be understood without running anything. "dynamic" is what only a shell could tell: the
 * output of a command, arithmetic, an expansion with operators.
 */
export type ShellWord = {
  readonly pieces: readonly ShellPiece[];
  /** As it is written. */
  readonly text: string;
};

export type ShellPiece =
  | { readonly kind: "text"; readonly text: string; readonly isQuoted: boolean }
  | { readonly kind: "variable"; readonly name: string; readonly isQuoted: boolean }
  | { readonly kind: "dynamic" };

export type ReadWord = { readonly word: ShellWord; readonly end: number };

/** A word that is exactly this text. */
export function literalWord(text: string): ShellWord {
  return { pieces: [{ kind: "text", text, isQuoted: true }], text };
}

/**
 * The word that begins at `start`, where it ends, and what its pieces are. A quote or bracket that is not closed reaches to the end of
 * the script, and is dynamic.
 *
 * Source: POSIX Shell Command Language, "Quoting" and "Word Expansions", and of bash what is found in published user data.
 */
export function readShellWord(script: string, start: number): ReadWord {
  const pieces: ShellPiece[] = [];
  let at = start;
  while (at < script.length) {
    const read = readPiece(script, at, pieces.length === 0 ? "" : script.slice(start, at));
    if (read === undefined) break;
    pieces.push(...read.pieces);
    at = read.end;
  }
  return { word: { pieces: hasBraces(pieces) ? [{ kind: "dynamic" }] : pieces, text: script.slice(start, at) }, end: at };
}

type Read = { readonly pieces: readonly ShellPiece[]; readonly end: number };

/** Characters that end a word where they are not quoted. */
const ENDS_WORD = /[ \t\r\n;&|<>()]/;

function readPiece(script: string, at: number, before: string): Read | undefined {
  const character = script[at] ?? "";
  // NAME=(…) is a list, of which bash alone knows what becomes.
  if (character === "(" && /^\w+\+?=$/.test(before)) return dynamicTo(closingBracket(script, at));
  if (/^[<>]\(/.test(script.slice(at, at + 2))) return dynamicTo(closingBracket(script, at + 1));
  if (ENDS_WORD.test(character)) return undefined;
  if (character === "'") return readSingleQuotes(script, at);
  if (character === '"') return readDoubleQuotes(script, at);
  if (character === "\\") return readBackslash(script, at);
  if (character === "`") return dynamicTo(pastQuote(script, at));
  if (character === "$") return readDollar(script, at, false);
  const end = at + (/^[^ \t\r\n;&|<>()'"\\`$]+/.exec(script.slice(at, at + LONGEST_RUN))?.[0].length ?? 1);
  return { pieces: [{ kind: "text", text: script.slice(at, end), isQuoted: false }], end };
}

/** Longer runs are read in parts, so that no text is copied more often than it is long. */
const LONGEST_RUN = 4096;

function dynamicTo(end: number): Read {
  return { pieces: [{ kind: "dynamic" }], end };
}

function text(value: string, end: number): Read {
  return { pieces: [{ kind: "text", text: value, isQuoted: true }], end };
}

function readSingleQuotes(script: string, at: number): Read {
  const close = script.indexOf("'", at + 1);
  return close === -1 ? dynamicTo(script.length) : text(script.slice(at + 1, close), close + 1);
}

/** A backslash and a line break are nothing at all. */
function readBackslash(script: string, at: number): Read {
  const lineBreak = /^\\\r?\n/.exec(script.slice(at, at + 3));
  if (lineBreak !== null) return { pieces: [], end: at + lineBreak[0].length };
  return text(script.slice(at + 1, at + 2), Math.min(at + 2, script.length));
}

function readDoubleQuotes(script: string, at: number): Read {
  const pieces: ShellPiece[] = [{ kind: "text", text: "", isQuoted: true }];
  let here = at + 1;
  while (here < script.length) {
    if (script[here] === '"') return { pieces, end: here + 1 };
    const read = readQuotedPiece(script, here);
    pieces.push(...read.pieces);
    here = read.end;
  }
  return dynamicTo(script.length);
}

function readQuotedPiece(script: string, at: number): Read {
  const character = script[at] ?? "";
  if (character === "`") return dynamicTo(pastQuote(script, at));
  if (character === "$") return readDollar(script, at, true);
  // Elsewhere in double quotes a backslash is a letter.
  if (/^\\(?:[$`"\\\n]|\r\n)/.test(script.slice(at, at + 3))) return readBackslash(script, at);
  const end = at + 1 + (/^[^"\\`$]*/.exec(script.slice(at + 1, at + LONGEST_RUN))?.[0].length ?? 0);
  return text(script.slice(at, end), end);
}

function readDollar(script: string, at: number, isQuoted: boolean): Read {
  const rest = script.slice(at, at + LONGEST_RUN);
  const variable = /^\$(?:([A-Za-z_]\w*)|\{([A-Za-z_]\w*)\})/.exec(rest);
  if (variable !== null) return { pieces: [{ kind: "variable", name: variable[1] ?? variable[2] ?? "", isQuoted }], end: at + variable[0].length };
  if (rest.startsWith("$(")) return dynamicTo(closingBracket(script, at + 1));
  if (rest.startsWith("${")) return dynamicTo(closingBracket(script, at + 1));
  if (/^\$[\w@*#?!$-]/.test(rest)) return dynamicTo(at + 2);
  // $'…' and $"…" are bash's, and none of a shell that cloud-init may use.
  if (!isQuoted && /^\$['"]/.test(rest)) return dynamicTo(readShellWord(script, at + 1).end);
  return text("$", at + 1);
}


const BRACKETS: ReadonlyMap<string, string> = new Map([["(", ")"], ["{", "}"]]);

/** Past the bracket that closes the one at `at`; quotes inside may hold others. */
function closingBracket(script: string, at: number): number {
  const expected: string[] = [];
  let here = at;
  while (here < script.length) {
    const character = script[here] ?? "";
    here = character === "\\" ? here + 2 : /['"`]/.test(character) ? pastQuote(script, here) : here + 1;
    if (BRACKETS.has(character)) expected.push(BRACKETS.get(character) ?? "");
    else if (character === expected.at(-1)) expected.pop();
    if (expected.length === 0) return here;
  }
  return script.length;
}

/** Past the quote, or backtick, that closes the one at `at`. */
function pastQuote(script: string, at: number): number {
  const quote = script[at] ?? "";
  let here = at + 1;
  while (here < script.length && script[here] !== quote) here += script[here] === "\\" && quote !== "'" ? 2 : 1;
  return Math.min(here + 1, script.length);
}

/** bash makes several words of one with {a,b} or {1..9} in it. */
function hasBraces(pieces: readonly ShellPiece[]): boolean {
  const bare = pieces.map((piece) => (piece.kind === "text" && !piece.isQuoted ? piece.text : "_")).join("");
  return /\{[^{}]*(?:,|\.\.)[^{}]*\}/.test(bare);
}

/** Longer than any argument of a program can be. Variables that hold themselves twice over become so. */
const LONGEST_VALUE = 128 * 1024;

/** What a variable holds; undefined when that is not known. */
export type Lookup = (name: string) => string | undefined;

/** The arguments that a shell makes of a word: one, or none or several of a variable without quotes. Undefined when they are not known, or too long. */
export function expandWord({ pieces }: ShellWord, lookup: Lookup): readonly string[] | undefined {
  const fields: string[] = [];
  let field: string | undefined;
  let length = 0;
  for (const piece of pieces) {
    const value = valueOf(piece, lookup);
    length += value?.length ?? 0;
    if (value === undefined || length > LONGEST_VALUE) return undefined;
    const parts = piece.kind === "variable" && !piece.isQuoted ? value.split(/[ \t\n]+/) : [value];
    for (const [index, part] of parts.entries()) {
      if (index > 0 && field !== undefined) fields.push(field);
      if (index > 0) field = undefined;
      if (part !== "" || isQuotedPiece(piece)) field = (field ?? "") + part;
    }
  }
  return field === undefined ? fields : [...fields, field];
}

/** The same without splitting, as in an assignment. */
export function expandText({ pieces }: ShellWord, lookup: Lookup): string | undefined {
  let text = "";
  for (const piece of pieces) {
    const value = valueOf(piece, lookup);
    text += value ?? "";
    if (value === undefined || text.length > LONGEST_VALUE) return undefined;
  }
  return text;
}

function valueOf(piece: ShellPiece, lookup: Lookup): string | undefined {
  if (piece.kind === "dynamic") return undefined;
  return piece.kind === "text" ? piece.text : lookup(piece.name);
}

function isQuotedPiece(piece: ShellPiece): boolean {
  return piece.kind !== "dynamic" && piece.isQuoted;
}

/** NAME and the word of its value, where a word assigns one. */
export function assignmentOf({ pieces, text: written }: ShellWord): { readonly name: string; readonly isAppended: boolean; readonly value: ShellWord } | undefined {
  const [first, ...rest] = pieces;
  if (first?.kind !== "text" || first.isQuoted) return undefined;
  const [head, name, plus] = /^([A-Za-z_]\w*)(\+?)=/.exec(first.text) ?? [];
  if (head === undefined || name === undefined) return undefined;
  const after = first.text.slice(head.length);
  const value = { pieces: after === "" ? rest : [{ ...first, text: after }, ...rest], text: written.slice(head.length) };
  return { name, isAppended: plus === "+", value };
}

/** The text of a word that is plain, without quotes or variables, as keywords are; undefined for others. */
export function bareText({ pieces }: ShellWord): string | undefined {
  const texts = pieces.map((piece) => (piece.kind === "text" && !piece.isQuoted ? piece.text : undefined));
  return texts.includes(undefined) ? undefined : texts.join("");
}
