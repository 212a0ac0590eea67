import { AgentError } from "../errors.ts";
import type { Finding } from "../preflight/preflight.ts";

/** The findings as this run takes them: `--preflight warn` makes notes of errors. */
export function judgeFindings(findings: readonly Finding[], level: "error" | "warn"): readonly Finding[] {
  return level === "warn" ? findings.map((finding) => ({ ...finding, severity: "note" })) : findings;
}

/** @throws AgentError "preflight-failed" with all findings that are errors */
export function refuseErrors(findings: readonly Finding[]): void {
  const errors = findings.filter(({ severity }) => severity === "error");
  if (errors.length === 0) return;
  const [what, it] = errors.length === 1 ? ["a setting", "it"] : [`${errors.length} settings`, "them"];
  throw new AgentError("preflight-failed", `Kubelet would not start with ${what} of this node, so nothing was written`, {
    remedy: `Correct ${it}, or run with --preflight warn to go on regardless.`,
    lines: errors.flatMap(showFinding),
  });
}

function showFinding({ message, source, remedy }: Finding): readonly string[] {
  return [`${message} (${source}).`, `  ${remedy}`];
}
