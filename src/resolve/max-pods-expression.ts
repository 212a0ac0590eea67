import type { EvaluateMaxPods } from "../config/max-pods-expression.ts";
import type { NodeConfig } from "../config/node-config.ts";
import { type Sourced, sourced } from "../lib/sourced.ts";
import type { Facts, InstanceFacts } from "./facts.ts";
import { maxPodsExpression, resolveTypeLimits } from "./max-pods.ts";
import type { AddNote } from "./notes.ts";

export type ExpressionInputs = {
  readonly config: NodeConfig;
  readonly facts: Facts;
  readonly instance: InstanceFacts;
  /** Undefined only where the config has no expression: the evaluator takes long to load. */
  readonly evaluateMaxPods: EvaluateMaxPods | undefined;
};

/**
 * What spec.kubelet.maxPodsExpression makes of the table's count and the type's limits; the table's count where there is no
 * expression, and with a note where it does not evaluate, as nodeadm has it.
 */
export function resolveMaxPodsExpression(inputs: ExpressionInputs, table: Sourced<number>, addNote: AddNote): Sourced<number> {
  const expression = maxPodsExpression(inputs.config);
  if (expression === undefined) return table;
  const result = evaluate(expression.value, inputs, table);
  if ("value" in result) return sourced(result.value, `maxPodsExpression (${expression.source})`);
  addNote("max-pods-expression", `The expression for maxPods from ${expression.source} does not evaluate (${result.fault}), so ${table.value} pods from ${table.source} are used.`);
  return table;
}

function evaluate(expression: string, { facts, instance, evaluateMaxPods }: ExpressionInputs, table: Sourced<number>): ReturnType<EvaluateMaxPods> {
  if (evaluateMaxPods === undefined) throw new Error("an expression for maxPods is to be evaluated, and the evaluator was not loaded");
  const limits = resolveTypeLimits(facts, instance);
  if (limits === undefined) return { fault: `the limits of the instance type ${instance.type} are not known` };
  return evaluateMaxPods(expression, { default_enis: limits.enis, ips_per_eni: limits.ipv4PerEni, max_pods: table.value });
}
