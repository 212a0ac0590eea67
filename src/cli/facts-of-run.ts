import { apiHost } from "../data/ecr-region-lookup.ts";
import { gatherFacts } from "../gather/facts.ts";
import { createGatherer, type Gatherer } from "../gather/gatherer.ts";
import { imdsEndpoint } from "../gather/imds-endpoint.ts";
import type { GatherSettings } from "../gather/settings.ts";
import { SYSTEM_CLOCK } from "../io/retry.ts";
import { expectedAwsCalls, factsNeeded } from "../resolve/facts-needed.ts";
import { type Facts, FOREIGN_BOOTSTRAPPERS, IMAGE_FILES, KERNEL_DEFAULTS, PRESENCE, PROGRAMS, type Question } from "../resolve/facts.ts";
import type { AddNote } from "../resolve/notes.ts";
import type { ConfigFlags } from "./bootstrap-flags.ts";
import { tellGatherEvent } from "./gather-events.ts";
import type { LoadedConfig } from "./load-config.ts";
import type { World } from "./world.ts";

export type FactsOptions = {
  readonly world: World;
  readonly addNote: AddNote;
  /** Settled when no other run is at work; the host is not looked at before. */
  readonly locked: Promise<void> | undefined;
};

/** All facts that the node's configuration needs, asked of the world. */
export async function gatherFactsOf(flags: ConfigFlags, { config, gatherOverrides }: LoadedConfig, { world, addNote, locked }: FactsOptions): Promise<Facts> {
  const gatherer = createGatherer(settingsOf(flags, gatherOverrides, world, addNote));
  const stop = (): void => void gatherer.close();
  world.signal.addEventListener("abort", stop, { once: true });
  try {
    gatherer.warmUp(expectedAwsCalls(config));
    return await gatherFacts((facts) => factsNeeded(config, facts), hostLast(gatherer, locked));
  } catch (error) {
    world.signal.throwIfAborted();
    throw error;
  } finally {
    world.signal.removeEventListener("abort", stop);
    await gatherer.close();
  }
}

/** The image's own files are facts, and another run may be about to replace them. */
function hostLast(gatherer: Gatherer, locked: Promise<void> | undefined): Pick<Gatherer, "ask"> {
  return {
    ask: async (question: Question, facts: Facts, signal?: AbortSignal) => {
      if (question.kind === "host") await locked;
      return gatherer.ask(question, facts, signal);
    },
  };
}

function settingsOf(flags: ConfigFlags, overrides: LoadedConfig["gatherOverrides"], world: World, addNote: AddNote): GatherSettings {
  const { imdsRetries, imdsRetryDelaySeconds, imdsTokenTtlSeconds, eksRetryAttempts } = overrides;
  const { privateDnsNameMaxAttempts: maxTries, privateDnsNameAttemptIntervalSeconds: interval } = overrides;
  return {
    root: flags.root === "/" ? "" : flags.root,
    host: { programs: PROGRAMS, files: IMAGE_FILES, presence: PRESENCE, units: FOREIGN_BOOTSTRAPPERS, sysctls: Object.keys(KERNEL_DEFAULTS) },
    deadlineAt: SYSTEM_CLOCK.now() + flags.deadlineMs,
    imds: {
      endpoint: imdsEndpoint(world.environment, overrides.imdsEndpoint),
      ...(imdsTokenTtlSeconds === undefined ? {} : { tokenTtlSeconds: imdsTokenTtlSeconds }),
      ...(imdsRetries === undefined ? {} : { retries: imdsRetries }),
      ...(imdsRetryDelaySeconds === undefined ? {} : { retryDelayMs: imdsRetryDelaySeconds * 1000 }),
    },
    ...(eksRetryAttempts === undefined ? {} : { describeClusterRetries: eksRetryAttempts }),
    privateDnsName: { ...(maxTries === undefined ? {} : { maxTries }), ...(interval === undefined ? {} : { intervalMs: interval * 1000 }) },
    environment: world.environment,
    apiHost,
    clock: SYSTEM_CLOCK,
    onEvent: (event) => {
      world.record(event);
      tellGatherEvent(event, world.log, addNote);
    },
  };
}
