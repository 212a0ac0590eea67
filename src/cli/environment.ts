import { absolutePath } from "./given.ts";
import { OPTIONS, VARIABLES } from "./options.ts";

export type Environment = Readonly<Record<string, string | undefined>>;

/**
 * The variables that count, by name, without the empty ones; paths are absolute. Without a cluster's name on the command line
 * these are only the few that hold always: a variable meant for another program must not configure a node.
 */
export function readEnvironment(cluster: string | undefined, environment: Environment): Record<string, string> {
  const read = cluster === undefined ? VARIABLES.filter(({ always }) => always) : [...OPTION_VARIABLES, ...VARIABLES];
  const entries = read.map(({ name, isPath }) => [name, absolutePath(environment[name] ?? "", isPath)] as const);
  return Object.fromEntries(entries.filter(([, value]) => value !== ""));
}

const OPTION_VARIABLES = OPTIONS.flatMap(({ variable, isPath }) => (variable === undefined ? [] : [{ name: variable, isPath }]));
