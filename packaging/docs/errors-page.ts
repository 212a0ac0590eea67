import { errorCodes, ERRORS, EXIT_STATUSES } from "./error-table.ts";
import { GENERATED_NOTE, markdownTable } from "./markdown.ts";

/** docs/errors.md */
export function errorsPage(): string {
  const sections = errorCodes().map(([code, status]) => {
    const { means, example, advice } = ERRORS[code];
    return `## ${code} (${status})\n\n${means}\n\n\`\`\`text\n${example}\n\`\`\`\n\n${advice}\n`;
  });
  return `${GENERATED_NOTE}

# Errors and exit statuses

An error is one sentence, then what is known besides, a remedy, and a code. The code is for programs and does not change; the sentence
is for people and may. The exit status is that of sysexits(3), so that systemd prints its name.

Of all statuses only 75 may be cured by a later try with nothing changed: \`eks-node-agent.service\` tries again after that one,
every 10 seconds, and stops at any other.

${markdownTable(["exit", "meaning", "what to do"], EXIT_STATUSES.map(([status, means, advice]) => [String(status), means, advice]))}

\`imds\` and \`max-pods\`, which stand in for scripts, exit with 1 whatever goes wrong, as the scripts do. After SIGTERM and SIGINT the
agent finishes the file in hand and dies by the same signal.

${sections.join("\n")}`;
}
