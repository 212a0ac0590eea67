import { property, showUnits, type Properties } from "./systemctl.ts";

/** How a unit is doing while it is brought up. */
export type UnitState = {
  readonly activeState: string;
  readonly subState: string;
  /** Why it stopped: "success", "exit-code", "oom-kill", "start-limit-hit", … */
  readonly result: string;
  /** A start or restart is queued or under way. */
  readonly hasJob: boolean;
  /** Automatic restarts since it was last started by someone. */
  readonly restarts: number;
  /** How its program ended, "exit status 1" or "signal 9"; undefined while it runs. */
  readonly ending: string | undefined;
};

const PROPERTIES = ["ActiveState", "SubState", "Result", "Job", "NRestarts", "ExecMainCode", "ExecMainStatus"];

/** ExecMainCode is a si_code of SIGCHLD (sigaction(2)): CLD_EXITED, CLD_KILLED, CLD_DUMPED. */
const ENDINGS: Readonly<Record<string, string>> = { "1": "exit status", "2": "signal", "3": "signal" };

/** @throws AgentError "unit-not-up" when systemd does not tell */
export async function readUnitState(unit: string, signal?: AbortSignal): Promise<UnitState> {
  const [properties = new Map<string, never>()] = await showUnits([unit], PROPERTIES, signal);
  return {
    activeState: property(properties, "ActiveState"),
    subState: property(properties, "SubState"),
    result: property(properties, "Result"),
    hasJob: Number(property(properties, "Job")) > 0,
    restarts: Number(property(properties, "NRestarts")),
    ending: endingOf(properties),
  };
}

/** A job that systemd has begun shows in the state; one that has not waits for another unit's job. */
export function isWaiting({ hasJob, activeState }: UnitState): boolean {
  return hasJob && !["activating", "deactivating", "reloading"].includes(activeState);
}

/** No job and not up: systemd will not start it by itself any more. */
export function isDown({ hasJob, activeState }: UnitState): boolean {
  return !hasJob && (activeState === "inactive" || activeState === "failed");
}

/** Its program ended, and systemd waits for a moment before it starts it again. */
export function isBetweenRestarts({ subState }: UnitState): boolean {
  return subState.startsWith("auto-restart");
}

function endingOf(properties: Properties): string | undefined {
  const ending = ENDINGS[property(properties, "ExecMainCode")];
  return ending === undefined ? undefined : `${ending} ${property(properties, "ExecMainStatus")}`;
}
