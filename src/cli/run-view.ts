import type { Owner } from "../plan/owner.ts";
import type { Comparison } from "../plan/plan.ts";
import type { Finding } from "../preflight/finding.ts";
import type { Facts } from "../resolve/facts.ts";
import type { Node } from "../resolve/node.ts";
import type { Note } from "../resolve/notes.ts";

/** All that a person or a program is shown of a run before its first step. */
export type RunView = {
  /** The sources of configuration that were found, in words and in their order of precedence, the strongest last. */
  readonly inputs: readonly string[];
  readonly facts: Facts;
  readonly node: Node;
  readonly findings: readonly Finding[];
  readonly notes: readonly Note[];
  readonly comparison: Comparison;
  /** Names of the units, in the order of the plan. */
  readonly units: readonly string[];
  /** Who shall own the files. */
  readonly owner: Owner;
};
