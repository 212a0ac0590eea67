import { type CelFault, parseCel } from "../lib/cel.ts";

/** What spec.kubelet.maxPodsExpression reckons with. */
export type MaxPodsInputs = {
  /** Network interfaces on the default network card. */
  readonly default_enis: number;
  readonly ips_per_eni: number;
  /** What the node would have without the expression. */
  readonly max_pods: number;
};

const VARIABLES = ["default_enis", "ips_per_eni", "max_pods"] as const satisfies readonly (keyof MaxPodsInputs)[];

/** Kubelet's field is a 32-bit integer. */
const MOST_PODS = 2 ** 31 - 1;

const LONGEST_SHOWN = 100;

/** The number of pods, or why the expression makes none: part of a sentence. */
export type EvaluateMaxPods = (expression: string, inputs: MaxPodsInputs) => { readonly value: number } | CelFault;

/** The number of pods that an expression in CEL makes of what the instance has. */
export const evaluateMaxPods: EvaluateMaxPods = (expression, inputs) => {
  const parsed = parseCel(expression, VARIABLES);
  if ("fault" in parsed) return { fault: withNames(parsed.fault) };
  const result = parsed.evaluate(inputs);
  if ("fault" in result) return result;
  const isCount = result.value >= 1 && result.value <= MOST_PODS;
  return isCount ? result : { fault: `it makes ${result.value}, which is no number of pods` };
};

/** A sentence on an expression that cannot be right on any instance; undefined for others. */
export function celProblem(expression: string): string | undefined {
  const fault = faultOf(expression);
  return fault === undefined ? undefined : `Cannot use the expression ${JSON.stringify(expression.slice(0, LONGEST_SHOWN))}: ${fault}.`;
}

function faultOf(expression: string): string | undefined {
  const parsed = parseCel(expression, VARIABLES);
  if ("fault" in parsed) return withNames(parsed.fault);
  if (parsed.names.size > 0) return undefined;
  const result = evaluateMaxPods(expression, { default_enis: 0, ips_per_eni: 0, max_pods: 0 });
  return "fault" in result ? result.fault : undefined;
}

function withNames(fault: string): string {
  return fault.startsWith("unknown variable") ? `${fault}; there are ${VARIABLES.join(", ")}` : fault;
}
