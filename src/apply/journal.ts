import { errnoOf } from "../errors.ts";
import { CommandDeadlineError, runCommand } from "../io/command.ts";

const LINES = 20;
const TIMEOUT_MS = 10_000;

/** The unit's last lines in the journal, oldest first; none when the journal cannot be asked, since an error is being told already. */
export async function lastJournalLines(unit: string): Promise<readonly string[]> {
  const argv = ["journalctl", `--unit=${unit}`, `--lines=${LINES}`, "--no-pager", "--output=cat"];
  try {
    const { stdout } = await runCommand(argv, { timeoutMs: TIMEOUT_MS });
    return stdout.split("\n").filter((line) => line !== "").slice(-LINES);
  } catch (error) {
    if (error instanceof CommandDeadlineError || errnoOf(error) !== undefined) return [];
    throw error;
  }
}
