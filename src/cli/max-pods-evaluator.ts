import type { EvaluateMaxPods } from "../config/max-pods-expression.ts";
import type { NodeConfig } from "../config/node-config.ts";
import type { Problem } from "../config/problems.ts";

/** What evaluates maxPodsExpression: 100 kB of program that is loaded only for a config with such an expression. */
export async function loadMaxPodsEvaluator({ kubelet }: NodeConfig): Promise<EvaluateMaxPods | undefined> {
  if (kubelet.maxPodsExpression === undefined) return undefined;
  const { evaluateMaxPods } = await import("../config/max-pods-expression.ts");
  return evaluateMaxPods;
}

/** What is wrong with the expression whatever the instance: for those who want to hear of it before there is one. */
export async function maxPodsExpressionProblems({ kubelet: { maxPodsExpression: expression } }: NodeConfig): Promise<readonly Problem[]> {
  if (expression === undefined || expression.value.trim() === "") return [];
  const { celProblem } = await import("../config/max-pods-expression.ts");
  const message = celProblem(expression.value);
  return message === undefined ? [] : [{ source: expression.source, path: "spec.kubelet.maxPodsExpression", message }];
}
