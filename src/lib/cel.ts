import { type ASTNode, Environment, EvaluationError, ParseError, TypeError } from "@marcbachmann/cel-js";

/** An expression that can be evaluated with numbers for its variables. */
export type Cel = {
  /** Those of the variables that it names. */
  readonly names: ReadonlySet<string>;
  /** The result as a whole number; of a fraction what is before the point. */
  readonly evaluate: (values: Readonly<Record<string, number>>) => CelFault | { readonly value: number };
};

/** Why an expression cannot be used: part of a sentence. */
export type CelFault = { readonly fault: string };

/** Arithmetic has no need of more. */
const LIMITS = { maxAstNodes: 500, maxDepth: 50 };

/**
 * What arithmetic, comparisons and `a ? b : c` are made of. The rest of CEL, such as macros over lists in each other and regular
 * expressions, can take for ever.
 */
const OPERATORS: ReadonlySet<string> = new Set(["value", "id", "?:", "||", "&&", "!_", "-_", "==", "!=", "<", "<=", ">", ">=", "+", "-", "*", "/", "%", "call"]);
const FUNCTIONS: ReadonlySet<string> = new Set(["int", "double"]);

/** Common Expression Language, as far as it takes whole numbers and makes one. */
export function parseCel(expression: string, variables: readonly string[]): Cel | CelFault {
  return faultOr(() => {
    const environment = variables.reduce((known, name) => known.registerVariable(name, "int"), new Environment({ limits: LIMITS }));
    const parsed = environment.parse(expression);
    const unusable = nodesOf(parsed.ast).flatMap(unusablePart)[0];
    if (unusable !== undefined) return { fault: unusable };
    const { valid, type = "", error } = parsed.check();
    if (!valid) throw error ?? new Error(`the expression ${JSON.stringify(expression)} is invalid for no reason`);
    if (!NUMBERS.includes(type)) return { fault: `it makes a value of type ${type}, not a number` };
    return { names: namesIn(parsed.ast), evaluate: (values) => faultOr(() => ({ value: toInteger(parsed(integers(values))) })) };
  });
}

const NUMBERS = ["int", "double"];

function integers(values: Readonly<Record<string, number>>): Readonly<Record<string, bigint>> {
  return Object.fromEntries(Object.entries(values).map(([name, value]) => [name, BigInt(value)]));
}

function toInteger(result: unknown): number {
  return Math.trunc(Number(result));
}

/** @throws what is no fault of the expression */
function faultOr<Result>(action: () => Result): Result | CelFault {
  try {
    return action();
  } catch (error) {
    if (error instanceof ParseError || error instanceof EvaluationError || error instanceof TypeError) return { fault: reasonOf(error.message) };
    throw error;
  }
}

/** The library's message goes on with the expression and a mark at the place. */
function reasonOf(message: string): string {
  const [first = ""] = message.split("\n");
  return first.charAt(0).toLowerCase() + first.slice(1);
}

function unusablePart({ op, args }: ASTNode): readonly string[] {
  if (!OPERATORS.has(op)) return ["it has more than arithmetic, comparisons and ?:"];
  const isForeignCall = op === "call" && Array.isArray(args) && !FUNCTIONS.has(String(args[0]));
  return isForeignCall ? [`there is no function ${String(args[0])}()`] : [];
}

function namesIn(ast: ASTNode): ReadonlySet<string> {
  return new Set(nodesOf(ast).flatMap(({ op, args }) => (op === "id" && typeof args === "string" ? [args] : [])));
}

function nodesOf(node: ASTNode): readonly ASTNode[] {
  const inside = [node.args].flat(3).filter(isNode);
  return [node, ...inside.flatMap(nodesOf)];
}

function isNode(value: unknown): value is ASTNode {
  return typeof value === "object" && value !== null && "op" in value && "args" in value;
}
