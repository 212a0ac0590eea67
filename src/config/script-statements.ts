import type { ShellCommand } from "../lib/shell-commands.ts";
import { bareText } from "../lib/shell-words.ts";

/** A command that a script runs once, whatever happens before it, or a construct of which only a shell knows what it runs, and when. */
export type Statement = { readonly kind: "command"; readonly command: ShellCommand } | { readonly kind: "compound"; readonly commands: readonly ShellCommand[] };

/** The commands of a script, those of a condition, a loop, a function or brackets together. */
export function statementsOf(commands: readonly ShellCommand[]): readonly Statement[] {
  const statements: Statement[] = [];
  const inside: ShellCommand[] = [];
  const open: string[] = [];
  for (const [index, command] of commands.entries()) {
    const isHead = open.length === 0 && isFunctionHead(commands.slice(index, index + 3));
    const wasOpen = open.length > 0;
    follow(open, command, isHead);
    const isInside = wasOpen || open.length > 0;
    if (isInside) inside.push(command);
    else statements.push({ kind: "command", command });
    if (isInside && open.length === 0) statements.push({ kind: "compound", commands: inside.splice(0) });
  }
  return inside.length === 0 ? statements : [...statements, { kind: "compound", commands: inside }];
}

/** name ( ), after which its body is a construct of its own. */
function isFunctionHead([name, opening, closing]: readonly ShellCommand[]): boolean {
  return name !== undefined && name.words.length > 0 && name.words.length < 3 && isBracket(opening, "(") && isBracket(closing, ")") && closing?.line === name.line;
}

function isBracket(command: ShellCommand | undefined, bracket: "(" | ")"): boolean {
  return command?.words.length === 0 && command.after === bracket && command.text === "";
}

const OPENING: ReadonlySet<string> = new Set(["if", "while", "until", "for", "select", "case", "{"]);
const CLOSING: ReadonlySet<string> = new Set(["fi", "done", "esac", "}"]);
const BETWEEN: ReadonlySet<string> = new Set(["then", "do", "else", "elif", "!", "function"]);

/** Until the body's bracket closes, a function is open. */
const FUNCTION = "function";

function follow(open: string[], command: ShellCommand, isHead: boolean): void {
  if (isHead) open.push(FUNCTION);
  if (isBracket(command, "(")) open.push("(");
  // A pattern of `case` ends in a bracket that nothing opened.
  if (isBracket(command, ")") && open.at(-1) === "(") open.pop();
  for (const word of command.words) {
    const text = bareText(word) ?? "";
    if (OPENING.has(text)) open.push(text);
    else if (CLOSING.has(text)) open.pop();
    else if (!BETWEEN.has(text)) break;
  }
  if (open.length === 1 && open[0] === FUNCTION && command.words.some((word) => bareText(word) === "}")) open.pop();
}
