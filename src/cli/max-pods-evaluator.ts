import type { EvaluateMaxPods } from "../config/max-pods-expression.ts";
import type { NodeConfig } from "../config/node-config.ts";

/** What evaluates maxPodsExpression: 100 kB of program that is loaded only for a config with such an expression. */
export async function loadMaxPodsEvaluator({ kubelet }: NodeConfig): Promise<EvaluateMaxPods | undefined> {
  if (kubelet.maxPodsExpression === undefined) return undefined;
  const { evaluateMaxPods } = await import("../config/max-pods-expression.ts");
  return evaluateMaxPods;
}
