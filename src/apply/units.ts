import { AgentError } from "../errors.ts";
import type { AddNote } from "./hooks.ts";
import { lastJournalLines } from "./journal.ts";
import { demandOfSystemctl, property, showUnits } from "./systemctl.ts";
import type { UnitState } from "./unit-state.ts";

/** Tells that a unit is left to systemd, and which jobs it may be waiting for. */
export async function noteWaiting(unit: string, note: AddNote, signal?: AbortSignal): Promise<void> {
  const jobs = await demandOfSystemctl(["list-jobs", "--no-legend", "--plain"], undefined, signal);
  const running = jobs.split("\n").map((line) => line.trim().split(/\s+/)).filter(([, , , state]) => state === "running").map(([, name]) => name);
  const blockers = running.length === 0 ? "other units" : running.slice(0, 3).join(", ");
  note("unit-waiting", `${unit} is queued, and systemd starts it after ${blockers}, which it is ordered after; eks-node-agent does not wait for that. See: systemctl list-jobs.`);
}

/** Notes the units that failed, of those that nobody waits for. */
export async function noteFailedUnits(units: readonly string[], note: AddNote, signal?: AbortSignal): Promise<void> {
  if (units.length === 0) return;
  const shown = await showUnits(units, ["ActiveState", "SubState", "Result"], signal);
  shown.forEach((properties, index) => {
    const isTriedAgain = property(properties, "SubState").startsWith("auto-restart");
    if (!isTriedAgain && property(properties, "ActiveState") !== "failed") return;
    note("unit-failed", `${units[index]} failed (${property(properties, "Result")})${isTriedAgain ? ", and systemd tries it again" : ""}. See: systemctl status ${units[index]}.`);
  });
}

/** The error for a unit that is not up, with what it said last. */
export async function unitNotUp(unit: string, what: string, remedy = `See why: journalctl -u ${unit}.`): Promise<AgentError> {
  return new AgentError("unit-not-up", `${unit} ${what}`, { remedy, lines: await lastJournalLines(unit) });
}

/** "failed (exit-code), exit status 1" */
export function showState({ activeState, result, ending }: UnitState): string {
  const why = result === "" || result === "success" ? "" : ` (${result})`;
  return `${activeState}${why}${ending === undefined ? "" : `, ${ending}`}`;
}
