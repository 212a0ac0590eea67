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

/** What the operator is told at the end of a run that failed: the sentence, its further lines, the remedy, the code. */
export function showError(error: unknown, options: ShowErrorOptions): ShownError {
  const { code, exitStatus, message, lines, remedy } = tellError(error, options.exitStatus);
  const parts: readonly Part[] = [
    ...(code === "bug" ? [["version", `eks-node-agent ${options.version}`] as const] : []),
    ["remedy", remedy],
    ["code", `${code}, exit status ${exitStatus}`],
  ];
  return { text: print(message, lines, parts, options), exitStatus };
}

type Part = readonly [label: string, sentence: string];

export type ToldError = {
  readonly code: string;
  readonly exitStatus: number;
  readonly message: string;
  /** Further lines, as they are. */
  readonly lines: readonly string[];
  readonly remedy: string;
};

/**
 * The parts of what an operator is told. All that is not an AgentError is a bug, a system error that nobody has put into
 * words too, and is told for a report.
 *
 * @param knownStatus what a known failure exits with instead of its code's number
 */
export function tellError(error: unknown, knownStatus?: number): ToldError {
  if (error instanceof AgentError) {
    const { code, message, lines, remedy } = error;
    return { code, exitStatus: knownStatus ?? error.exitStatus, message, lines, remedy };
  }
  const [first = "", ...stack] = showThrown(error);
  return { code: "bug", exitStatus: EXIT_STATUS.bug, message: `This is a bug in eks-node-agent: ${first}`, lines: stack, remedy: REPORT_IT };
}

const REPORT_IT = "Please report this to the maintainers, with all of these lines. A second try may fare better, but should not have to.";

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
