import { resolve } from "node:path";
import { parseChoice, parseConfigSource } from "./flag-values.ts";
import { CHOICES, OPTIONS, type OptionName } from "./options.ts";

/** The options of a command line, each with its values in the order given; a switch has none. */
export type Given = ReadonlyMap<OptionName, readonly string[]>;

/** The value that counts, the last; undefined also for an empty one, which is how callers say "not given". */
export function valueOf(given: Given, name: OptionName): string | undefined {
  const option = OPTIONS.find((candidate) => candidate.name === name);
  const value = absolutePath(given.get(name)?.at(-1) ?? "", option?.isPath);
  return value === "" ? undefined : value;
}

type Choices = typeof CHOICES;

/** @throws AgentError "usage" for a word that is none of the option's choices */
export function choiceOf<Name extends keyof Choices>(given: Given, name: Name): Choices[Name][number] | undefined {
  return parseChoice<Choices[Name][number]>(name, valueOf(given, name), CHOICES[name]);
}

/** @throws AgentError "usage" for an address of a kind that the agent does not read */
export function configSources(given: Given): string[] {
  return (given.get("config-source") ?? []).filter((word) => word !== "").map((word) => parseConfigSource(word));
}

/** The manifest repeats paths where the working directory is another. */
export function absolutePath(value: string, isPath: boolean | undefined): string {
  return isPath === true && value !== "" ? resolve(value) : value;
}
