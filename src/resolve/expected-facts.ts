import { canonicalNames } from "./canonical-name.ts";
import type { Facts, Question } from "./facts.ts";

/**
 * The facts as they will be in nearly all cases, when nothing is missing but EC2's answer with the instance's name: work can begin by
 * them. What is decided and written goes by the answer.
 *
 * @param pending the questions that are asked and not answered
 * @returns undefined when more is missing, or nothing
 */
export function expectedFacts(facts: Facts, pending: readonly Question[]): Facts | undefined {
  const isNameAlone = pending.length === 1 && pending[0]?.kind === "private-dns-name";
  if (!isNameAlone || facts.instance === undefined) return undefined;
  const [privateDnsName] = canonicalNames(facts.instance);
  return privateDnsName === undefined ? undefined : { ...facts, privateDnsName };
}
