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
