import { isBetweenRestarts, isDown, type UnitState } from "./unit-state.ts";

export type Exits = {
  /** Times that the unit's program ended since the counting began. */
  readonly count: number;
  /** How it last ended, such as "exit status 1" or, when it could not be started, 'result "resources"'; undefined when that was not seen. */
  readonly ending: string | undefined;
};

/**
 * A counter of a unit's exits, to be shown its state again and again. NRestarts alone does not do: it counts an exit only
 * once systemd has started the unit again, and goes back to 0 when the unit is restarted by hand.
 */
export function exitCounter(): (state: UnitState) => Exits {
  let restartsAtStart: number | undefined;
  let ending: string | undefined;
  let count = 0;
  return (state) => {
    // While a job is pending, what is seen is the program that is about to be replaced.
    if (state.hasJob) return { count, ending };
    restartsAtStart = Math.min(restartsAtStart ?? state.restarts, state.restarts);
    const isOver = isBetweenRestarts(state) || isDown(state);
    if (isOver) ending = state.ending ?? `result "${state.result}"`;
    count = Math.max(count, state.restarts - restartsAtStart + (isOver ? 1 : 0));
    return { count, ending };
  };
}
