import { COMMANDS, OPTIONS, type CommandName, type Option } from "./options.ts";

/** What may stand after an option, for a shell to offer. Undefined for a switch. */
export type Value =
  | { readonly kind: "words"; readonly words: readonly string[] }
  | { readonly kind: "file" }
  | { readonly kind: "folder" }
  /** Only the operator knows. */
  | { readonly kind: "free" };

export function valueOfOption({ name, placeholder, choices, isPath }: Option): Value | undefined {
  if (placeholder === undefined) return undefined;
  if (choices !== undefined) return { kind: "words", words: choices };
  if (name === "config-source") return { kind: "words", words: ["imds://user-data", "file://"] };
  if (isPath === true) return { kind: placeholder === "DIR" ? "folder" : "file" };
  return { kind: "free" };
}

export function optionsOf(command: CommandName): readonly Option[] {
  return OPTIONS.filter(({ commands }) => commands.includes(command));
}

/** Words that may stand after a command's name as they are: "token" of "token|PATH". */
export function wordsAfter(command: CommandName): readonly string[] {
  const takes: string = COMMANDS.find(({ name }) => name === command)?.takes ?? "";
  return takes.split("|").filter((word) => /^[a-z]+$/.test(word));
}

/** Names of the options whose next word is their value, dashes included. */
export function valuedOptions(): readonly string[] {
  return [...new Set(OPTIONS.filter(({ placeholder }) => placeholder !== undefined).map(({ name }) => `--${name}`))];
}
