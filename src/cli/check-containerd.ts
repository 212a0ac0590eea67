import { checkContainerdConfig } from "../apply/check-containerd.ts";
import type { Machine } from "../apply/machine.ts";
import { PATHS } from "../lib/paths.ts";
import type { Plan } from "../plan/plan.ts";
import type { Finding } from "../preflight/preflight.ts";
import type { Node } from "../resolve/node.ts";
import type { AddNote } from "../resolve/notes.ts";

/** What containerd itself says of the configuration that is planned for it: it would not come up with one that it cannot read. */
export async function checkContainerd(machine: Machine, plan: Plan, { host, containerd }: Node, addNote: AddNote, signal: AbortSignal): Promise<readonly Finding[]> {
  const contents = plan.files.find(({ path }) => path === PATHS.containerdConfig)?.contents;
  if (contents === undefined) return [];
  const verdict = await checkContainerdConfig(machine, { program: host.programs["containerd"], contents }, signal);
  switch (verdict.kind) {
    case "accepted":
      return [];
    case "unchecked":
      addNote("containerd-unchecked", `Whether containerd can read the configuration that is planned for it is not known: ${verdict.why}.`);
      return [];
    case "refused":
      return [refusal(verdict.why, containerd.configSources)];
  }
}

function refusal(why: string, sources: readonly string[]): Finding {
  return {
    severity: "error",
    code: "containerd-config-refused",
    message: `containerd cannot use the configuration that is planned for ${PATHS.containerdConfig}: ${why}`,
    source: sources.length === 0 ? "the agent's own configuration, and what it imports" : sources.join(", "),
    remedy: `Correct the settings for containerd; eks-node-agent --dry-run shows them as they are written, and \`containerd --config FILE config dump\` checks a file.`,
  };
}
