import { AgentError } from "../errors.ts";

/**
 * The text of a variable that systemd splits back into exactly `args` where a unit says `$NAME`.
 *
 * @throws AgentError "config-invalid" for an argument that no unit file can carry
 */
export function quoteArguments(args: readonly string[]): string {
  return args.map(quoteArgument).join(" ");
}

/**
 * A line `Environment='NAME=value'` of a unit file, from which systemd reads exactly `value`.
 *
 * @throws AgentError "config-invalid" for a value that no unit file can carry
 */
export function environmentLine(name: string, value: string): string {
  const fault = unitFileFault(value);
  if (fault !== undefined) refuse(`the value of ${name}`, fault);
  const escaped = value.replaceAll("\\", "\\\\").replaceAll("'", "\\'").replaceAll("%", "%%");
  return `Environment='${name}=${escaped}'`;
}

/** What in `text` no unit file can carry, as a noun for a sentence; undefined when all of it can be. */
export function unitFileFault(text: string): string | undefined {
  const code = UNSPEAKABLE.exec(text)?.[0].codePointAt(0);
  if (code === undefined) return undefined;
  const hex = `U+${code.toString(16).toUpperCase().padStart(4, "0")}`;
  if (code === 10) return `a line break (${hex})`;
  return code < 128 ? `a control character (${hex})` : `a character that UTF-8 text must not have (${hex})`;
}

// Control characters but the tab, halves of surrogate pairs, and U+FFFE and its like: for any of these systemd drops the
// whole assignment, and says so at most in the journal.
const UNSPEAKABLE = /[\0-\x08\n-\x1f\x7f\p{Cs}\p{Noncharacter_Code_Point}]/u;

const PLAIN = /^[A-Za-z0-9_./:,=@%+<>$-]+$/;

function quoteArgument(argument: string): string {
  const fault = unitFileFault(argument);
  if (fault !== undefined) refuse(JSON.stringify(argument), fault);
  return PLAIN.test(argument) ? argument : `"${argument.replace(/[\\"]/g, "\\$&")}"`;
}

function refuse(what: string, fault: string): never {
  throw new AgentError("config-invalid", `Cannot pass on ${what} by a unit file: it contains ${fault}`, {
    remedy: "Remove the character: systemd would ignore the whole setting without an error.",
  });
}
