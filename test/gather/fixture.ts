import { setImmediate } from "node:timers/promises";
import type { GatherEvent } from "../../src/gather/events.ts";
import { imdsEndpoint } from "../../src/gather/imds-endpoint.ts";
import type { GatherSettings } from "../../src/gather/settings.ts";
import type { Clock } from "../../src/io/retry.ts";
import { FOREIGN_BOOTSTRAPPERS, IMAGE_FILES, KERNEL_DEFAULTS, PRESENCE, PROGRAMS } from "../../src/resolve/facts.ts";
import { startSimulator } from "../simulator/simulator.ts";
import type { Simulator, SimulatorOptions } from "../simulator/simulator.ts";

/** A clock on which waiting takes no time. Random is 0.5. */
export type FakeClock = Clock & { readonly slept: readonly number[] };

export function fakeClock(): FakeClock {
  const slept: number[] = [];
  let now = Date.now();
  return {
    slept,
    now: () => now,
    sleep: async (ms, signal) => {
      await setImmediate();
      signal?.throwIfAborted();
      slept.push(ms);
      now += ms;
    },
    random: () => 0.5,
  };
}

export type Fixture = { readonly simulator: Simulator; readonly settings: GatherSettings; readonly events: readonly GatherEvent[]; readonly clock: FakeClock };

/** Settings that lead to a simulator, ten minutes before the deadline of a clock on which waiting takes no time. */
export async function withSimulator<T>(options: SimulatorOptions, changes: Partial<GatherSettings>, use: (fixture: Fixture) => Promise<T>): Promise<T> {
  const simulator = await startSimulator(options);
  const clock = fakeClock();
  const events: GatherEvent[] = [];
  const settings: GatherSettings = {
    root: "",
    host: HOST_TARGETS,
    deadlineAt: clock.now() + 600_000,
    imds: { endpoint: imdsEndpoint(simulator.environment) },
    environment: simulator.environment,
    clock,
    onEvent: (event) => events.push(event),
    ...changes,
  };
  try {
    return await use({ simulator, settings, events, clock });
  } finally {
    await simulator.close();
  }
}

export const HOST_TARGETS = {
  programs: PROGRAMS,
  files: IMAGE_FILES,
  presence: PRESENCE,
  units: FOREIGN_BOOTSTRAPPERS,
  sysctls: Object.keys(KERNEL_DEFAULTS),
};

/** "code: message" of the error that `promise` ends with. */
export async function told(promise: Promise<unknown>): Promise<string> {
  const error = await promise.then(
    (value) => new Error(`no error but ${String(value)}`),
    (thrown: unknown) => thrown as Error & { code?: string },
  );
  return withoutPorts(`${"code" in error ? error.code : error.name}: ${error.message}`);
}

/** The addresses of a simulator differ from run to run. */
function withoutPorts(text: string): string {
  return text.replaceAll(/127\.0\.0\.1:\d+|localhost:\d+/g, "SIMULATOR");
}
