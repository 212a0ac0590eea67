import { type Sourced, sourced } from "../lib/sourced.ts";

/** What bootstrap.sh's callers gave, option by option and variable by variable, without white space at the ends. */
export type Given = {
  readonly option: (name: string) => Sourced<string> | undefined;
  readonly variable: (name: string) => Sourced<string> | undefined;
  /** An option beats its variable. */
  readonly find: (option: string | undefined, variable: string) => Sourced<string> | undefined;
};

type Texts = Readonly<Record<string, string>>;

/** An empty value, or one of white space, is none. */
export function givenBy(options: Texts, environment: Texts): Given {
  const option = (name: string) => valueAt(options, name, `option --${name}`);
  const variable = (name: string) => valueAt(environment, name, `environment ${name}`);
  const find = (name: string | undefined, variableName: string) => (name === undefined ? undefined : option(name)) ?? variable(variableName);
  return { option, variable, find };
}

function valueAt(texts: Texts, name: string, source: string): Sourced<string> | undefined {
  const text = texts[name]?.trim() ?? "";
  return text === "" ? undefined : sourced(text, source);
}
