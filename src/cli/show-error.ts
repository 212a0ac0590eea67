import { inspect } from "node:util";
import { AgentError, EXIT_STATUS } from "../errors.ts";
import { paint } from "./colour.ts";
import { printable } from "./printable.ts";
import { redact as redactPatterns } from "./redact.ts";

export type ShowErrorOptions = {
  /** Of the agent: the first thing that is asked of whoever reports a bug. */
  readonly version: string;
  readonly colour: boolean;
  /** What a known failure exits with instead of its code's number. */
  readonly exitStatus?: number | undefined;
  /** Cuts secrets out of a text. */
  readonly redact?: (text: string) => string;
};

export type ShownError = {
  /** Ends in a line break. */
  readonly text: string;
  /** What the process exits with. */
  readonly exitStatus: number;
};

/**
 * What the operator is told at the end of a run that failed: the sentence, its further lines, the remedy, the code. All
 * that is not an AgentError is a bug, a system error that nobody has put into words too, and is shown for a report.
 */
export function showError(error: unknown, options: ShowErrorOptions): ShownError {
  return error instanceof AgentError ? showAgentError(error, options) : showBug(error, options);
}

type Part = readonly [label: string, sentence: string];

function showAgentError(error: AgentError, options: ShowErrorOptions): ShownError {
  const exitStatus = options.exitStatus ?? error.exitStatus;
  const parts: readonly Part[] = [["remedy", error.remedy], ["code", `${error.code}, exit status ${exitStatus}`]];
  return { text: print(error.message, error.lines, parts, options), exitStatus };
}

function showBug(error: unknown, options: ShowErrorOptions): ShownError {
  const [first = "", ...stack] = showThrown(error);
  const parts: readonly Part[] = [
    ["version", `eks-node-agent ${options.version}`],
    ["remedy", "Please report this to the maintainers, with all of these lines. A second try may fare better, but should not have to."],
    ["code", `bug, exit status ${EXIT_STATUS.bug}`],
  ];
  return { text: print(`This is a bug in eks-node-agent: ${first}`, stack, parts, options), exitStatus: EXIT_STATUS.bug };
}

function print(sentence: string, lines: readonly string[], parts: readonly Part[], { colour, redact = redactPatterns }: ShowErrorOptions): string {
  const clean = (text: string): string => printable(redact(text));
  return [
    `${paint("error", "error:", colour)} ${indentFurther(clean(sentence))}\n`,
    // As one text, since a secret may have a line break in it.
    ...(lines.length === 0 ? [] : [`  ${indentFurther(clean(lines.join("\n")))}\n`]),
    ...parts.map(([label, text]) => `${paint("heading", `${label}:`, colour)} ${indentFurther(clean(text))}\n`),
  ].join("");
}

function indentFurther(text: string): string {
  return text.replaceAll("\n", "\n  ");
}

/** Errors inside errors beyond this depth tell nothing more, and a cycle has no end. */
const DEEPEST = 5;

/** The message, where it was thrown, and the same of each cause. */
function showThrown(thrown: unknown, depth = 0): readonly string[] {
  if (!(thrown instanceof Error)) return `${inspect(thrown)} was thrown`.split("\n");
  const own = (thrown.stack ?? `${thrown.name}: ${thrown.message}`).split("\n");
  const inner = depth < DEEPEST ? innerErrors(thrown).flatMap((error) => withLabel(showThrown(error, depth + 1))) : [];
  return [...own, ...inner];
}

function innerErrors(error: Error): readonly unknown[] {
  const several: readonly unknown[] = error instanceof AggregateError ? error.errors : [];
  return error.cause === undefined ? several : [...several, error.cause];
}

function withLabel([first = "", ...rest]: readonly string[]): readonly string[] {
  return [`caused by ${first}`, ...rest];
}
