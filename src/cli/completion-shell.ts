import { listChoices, refuseUsage } from "./flag-values.ts";
import { SHELLS } from "./options.ts";

export type Shell = (typeof SHELLS)[number];

/** @throws AgentError "usage" unless there is one word, and it is a shell's name */
export function shellOf([word, second]: readonly string[]): Shell {
  const expected = listChoices(SHELLS);
  if (word === undefined) return refuseUsage(`The shell is missing: ${expected}`, "Name it, as in `eks-node-agent completion bash`.");
  if (second !== undefined) return refuseUsage(`"${second}" is one word too many: the shell is "${word}" already`);
  return SHELLS.find((shell) => shell === word) ?? refuseUsage(`Cannot use "${word}" as a shell: expected ${expected}`);
}
