import { demandOfSystemctl } from "./systemctl.ts";

export type Enabling = {
  /** Settled when systemd has read its units again. */
  readonly reload: () => Promise<void>;
  /** Settled when the unit is enabled. */
  readonly enable: (unit: string) => Promise<void>;
};

/**
 * Enables units by one call, at the end of which systemctl has systemd read all its units again, which takes long: with something to
 * enable there is no other reload. If the call is refused each step has one of its own, so that it is known which unit is at fault.
 *
 * @throws AgentError "unit-not-up", as all here do, when systemd refuses
 */
export function enableTogether(units: readonly string[], signal?: AbortSignal): Enabling {
  const all = units.length === 0 ? Promise.resolve(false) : enable(units, undefined, signal).then(() => true, () => false);
  return {
    reload: async () => {
      if (!(await all)) await demandOfSystemctl(["daemon-reload"], undefined, signal);
    },
    enable: async (unit) => {
      if (!(await all)) await enable([unit], unit, signal);
    },
  };
}

async function enable(units: readonly string[], subject: string | undefined, signal: AbortSignal | undefined): Promise<void> {
  await demandOfSystemctl(["--quiet", "enable", "--", ...units], subject, signal);
}
