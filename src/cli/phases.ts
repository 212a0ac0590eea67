import type { Log, LogFields } from "./log.ts";

/** The parts of a run, in their order, as the log and the service manager name them. */
export const PHASES = {
  config: "reading the configuration",
  facts: "asking the instance metadata, AWS and the host",
  plan: "planning",
  observe: "looking at the machine",
  apply: "applying the changes",
  verify: "waiting for kubelet",
} as const;

export type PhaseName = keyof typeof PHASES;

/** Runs one part of the run, and tells how long it took. */
export type Phase = <T>(name: PhaseName, action: () => T | Promise<T>) => Promise<T>;

/** @param now milliseconds of any steady clock */
export function phasesLoggedTo(log: Log, now: () => number): Phase {
  return async (name, action) => {
    const start = now();
    const ended = (): LogFields => ({ phase: name, duration_ms: Math.round(now() - start) });
    log.debug(PHASES[name], { phase: name });
    try {
      const result = await action();
      log.event("phase-finished", `${PHASES[name]}: done`, ended());
      return result;
    } catch (error) {
      log.event("phase-failed", `${PHASES[name]}: not done`, ended());
      throw error;
    }
  };
}
