import { configSources, valueOf, type Given } from "./given.ts";
import { OPTIONS, type Option } from "./options.ts";

/**
 * Words that configure the node in the same way when they are parsed again, in the order of the table. Empty when none
 * configure it: how strictly this run judges is no configuration.
 */
export function recordedArgs(cluster: string | undefined, given: Given): string[] {
  const wordsAbout = (about: Option["about"]) => OPTIONS.filter((option) => option.about === about).flatMap((option) => wordsOf(option, given));
  const node = [...(cluster === undefined ? [] : [cluster]), ...wordsAbout("node")];
  // With the command's name, since a cluster may be named like another command.
  return node.length === 0 ? [] : ["bootstrap", ...node, ...wordsAbout("judgement")];
}

function wordsOf({ name, placeholder, collects }: Option, given: Given): string[] {
  if (!given.has(name)) return [];
  if (placeholder === undefined) return [`--${name}`];
  if (collects === true) return configSources(given).map((value) => `--${name}=${value}`);
  const value = valueOf(given, name);
  return value === undefined ? [] : [`--${name}=${value}`];
}
