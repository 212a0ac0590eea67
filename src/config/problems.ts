import { AgentError } from "../errors.ts";

/** One thing wrong with what was asked for. Problems are values: all of all sources are collected, then reported once. */
export type Problem = {
  /** Where it was said: "option --dns-cluster-ip", "user-data part 2", "file /etc/eks/nodeadm.d/a.yaml". */
  readonly source: string;
  /** Path inside a document, such as "spec.cluster.cidr". */
  readonly path?: string;
  /** Line inside the document, from 1. */
  readonly line?: number;
  /** A sentence: what cannot be used, the value in quotes, what was expected. */
  readonly message: string;
};

/** "user-data part 2, line 7, spec.cluster.cidr: Cannot use …" */
export function showProblem(problem: Problem): string {
  const line = problem.line === undefined ? "" : `, line ${problem.line}`;
  const path = problem.path === undefined ? "" : `, ${problem.path}`;
  return `${problem.source}${line}${path}: ${problem.message}`;
}

/** By source in the order given, others after them, and by line; what is about a source as a whole comes last of it. */
export function inReadingOrder(problems: readonly Problem[], sources: readonly string[]): readonly Problem[] {
  const order = [...new Set([...sources, ...problems.map(({ source }) => source)])];
  const lineOf = ({ line = Number.MAX_SAFE_INTEGER }: Problem): number => line;
  return problems.toSorted((one, other) => order.indexOf(one.source) - order.indexOf(other.source) || lineOf(one) - lineOf(other));
}

/** A fallback taken, or a thing that the operator should know and that stops nothing: resolve's Note. */
export type ConfigNote = {
  /** Stable and short, for machines: "cidr-masked". */
  readonly code: string;
  /** A sentence for the operator. */
  readonly message: string;
};

/**
 * What the AMI's own programs put up with, and what is yet likely a mistake: a note in a bootstrap, a problem where
 * strictness is asked for.
 */
export type Leniency = Problem & { readonly code: string };

export function noteOf(leniency: Leniency): ConfigNote {
  return { code: leniency.code, message: showProblem(leniency) };
}

/** The end of a run whose configuration cannot be used: all problems at once, of which there is at least one. */
export function problemsError(problems: readonly Problem[]): AgentError {
  const count = problems.length === 1 ? "1 problem" : `${problems.length} problems`;
  return new AgentError("config-invalid", `Cannot use the configuration: ${count}`, {
    remedy: "Correct what is listed; `eks-node-agent --dry-run` with the same words checks it again and changes nothing.",
    lines: problems.map((problem) => showProblem(problem)),
  });
}
