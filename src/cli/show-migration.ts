import type { Loss } from "../config/loss.ts";
import type { JsonObject } from "../lib/json.ts";
import { printYaml } from "../lib/yaml-print.ts";
import { printable } from "./printable.ts";
import { redact } from "./redact.ts";
import { wrap } from "./wrap.ts";

/** A NodeConfig, and what a person must know of how it was made. */
export type Migration = {
  readonly document: JsonObject;
  /** What it was made of, in words. */
  readonly inputs: readonly string[];
  readonly losses: readonly Loss[];
  readonly notes: readonly string[];
};

/** The document in YAML, the rest before it in comments. */
export function showMigration({ document, inputs, losses, notes }: Migration): string {
  const sections = [comment(`Made by eks-node-agent migrate from: ${inputs.join("; ")}.`), ...notes.map((note) => comment(`Note: ${note}`)), ...(losses.length === 0 ? [] : [showLosses(losses)])];
  return `${sections.map((lines) => lines.map((line) => `${line}\n`).join("")).join("#\n")}${printYaml(document)}`;
}

function comment(text: string): readonly string[] {
  return wrap(clean(text), "# ", "# ");
}

/** Those with the same remedy together, in the order of the first of each. */
function showLosses(losses: readonly Loss[]): readonly string[] {
  const groups = Map.groupBy(losses, ({ instead }) => instead);
  return ["# Not carried over:", ...[...groups].flatMap(([instead, alike]) => [...alike.flatMap(({ what }) => wrap(shorten(clean(what)), "# - ", "#   ")), ...wrap(clean(instead), "#   -> ", "#      ")])];
}

/** Of foreign text, which may hold line breaks and secrets, no more than tells what is meant. */
function shorten(text: string): string {
  const [first = "", ...more] = text.trim().split("\n");
  return more.length > 0 || first.length > LONGEST_SHOWN ? `${first.replace(/\s*\\$/, "").slice(0, LONGEST_SHOWN)} …` : first;
}

const LONGEST_SHOWN = 300;

function clean(text: string): string {
  return printable(redact(text));
}
