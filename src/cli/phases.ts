import type { Log } from "./log.ts";

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
    log.debug(PHASES[name], { phase: name });
    try {
      return await action();
    } finally {
      log.debug(`${PHASES[name]}: done`, { phase: name, duration_ms: Math.round(now() - start) });
    }
  };
}
