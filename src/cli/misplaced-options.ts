import { kubeletFlag } from "../data/kubelet-flag-lookup.ts";
import { splitWords } from "../lib/systemd-words.ts";
import { refuseUsage } from "./flag-values.ts";
import { OPTIONS } from "./options.ts";

/**
 * Refuses the agent's options in a text of kubelet arguments: a quote that closes too late would hand them to kubelet,
 * which ends at a flag that it does not know. Options whose names are flags of some kubelet are let through.
 *
 * @param where what holds the text: "--kubelet-extra-args", "KUBELET_EXTRA_ARGS"
 * @throws AgentError "usage"
 */
export function refuseMisplacedOptions(where: string, text: string): void {
  const split = splitWords(text);
  if ("problem" in split) return;
  const misplaced = split.words.map((word) => optionOf(word)).find((name) => name !== undefined && kubeletFlag(name) === undefined);
  if (misplaced === undefined) return;
  refuseUsage(
    `${where} contains --${misplaced}, which is an option of eks-node-agent and no flag of any kubelet`,
    `Put --${misplaced} beside ${where}, not into it: a quote may be closed too late.`,
  );
}

/** The option of ours that a word spells as kubelet would read it, with dashes or underscores. */
function optionOf(word: string): string | undefined {
  const [, spelled = ""] = /^--([^=]+)/.exec(word) ?? [];
  const name = spelled.replaceAll("_", "-");
  return OPTIONS.find((option) => option.name === name && option.commands.includes("bootstrap"))?.name;
}
