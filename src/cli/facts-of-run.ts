import { machineAt } from "../apply/machine.ts";
import { once } from "../apply/once.ts";
import { type CommandLineConfig, configFromCommandLine, type GatherOverrides } from "../config/flags-to-config.ts";
import type { NodeConfig } from "../config/node-config.ts";
import { apiHost } from "../data/ecr-region-lookup.ts";
import { askingAhead } from "../gather/ask-ahead.ts";
import { gatherFacts } from "../gather/facts.ts";
import { createGatherer, type Gatherer } from "../gather/gatherer.ts";
import { imdsEndpoint } from "../gather/imds-endpoint.ts";
import type { GatherSettings } from "../gather/settings.ts";
import { SYSTEM_CLOCK } from "../io/retry.ts";
import { expectedFacts } from "../resolve/expected-facts.ts";
import { expectedAwsCalls, factsNeeded } from "../resolve/facts-needed.ts";
import { type Facts, FOREIGN_BOOTSTRAPPERS, IMAGE_FILES, KERNEL_DEFAULTS, PRESENCE, PROGRAMS, type Question } from "../resolve/facts.ts";
import type { AddNote } from "../resolve/notes.ts";
import type { ConfigFlags } from "./bootstrap-flags.ts";
import { tellGatherEvent } from "./gather-events.ts";
import { watchForTimeToSpare } from "./time-to-spare.ts";
import type { World } from "./world.ts";

type FactsWorld = Pick<World, "environment" | "log" | "record" | "signal">;

export type FactsOptions = {
  readonly world: FactsWorld;
  readonly addNote: AddNote;
  /** Settled when no other run is at work; the host is not looked at before. */
  readonly locked: Promise<void> | undefined;
  /** The command line, where it has been read. */
  readonly words?: CommandLineConfig;
  /** Told when there is nothing to do but to wait for AWS, or for the lock. */
  readonly onTimeToSpare?: () => void;
};

/** What a run asks of the world before it changes anything, over the same connections. */
export type FactsOfRun = {
  /** Undefined when the instance has none. */
  readonly userData: () => Promise<Buffer | undefined>;
  /** Makes ready for what NodeConfigs most often lead to, while they are being read. */
  readonly expectDocuments: () => void;
  /** Asks what the command line shows to be needed, while the rest of the configuration is still being read. */
  readonly askAhead: () => void;
  /** Asks for all facts that the configuration needs. */
  readonly gather: (config: NodeConfig) => Omit<FactsUnderWay, "close">;
  /** Ends what is still asked, and closes the connections; once. */
  readonly close: () => Promise<void>;
};

export type FactsUnderWay = Pick<FactsOfRun, "close"> & {
  readonly facts: Promise<Facts>;
  /** What they will most likely be, as soon as it can be told; it may never be. */
  readonly expected: Promise<Facts>;
};

export function openFacts(flags: ConfigFlags, { world, addNote, locked, words, onTimeToSpare = () => undefined }: FactsOptions): FactsOfRun {
  const { config: commandLine, gatherOverrides } = words ?? configFromCommandLine(flags);
  const { watching, expect, onAwsAsked } = watchForTimeToSpare(onTimeToSpare);
  const gatherer = createGatherer({ ...settingsOf(flags, gatherOverrides, world, addNote), onAwsAsked });
  const asking = askingAhead(watching(hostLast(gatherer, locked)));
  const stop = (): void => void gatherer.close();
  world.signal.addEventListener("abort", stop, { once: true });
  return {
    userData: () => orTheSignal(world.signal, gatherer.imds.getBytes("user-data")),
    // They most often say what EKS would.
    expectDocuments: () => gatherer.warmUp(expectedAwsCalls(commandLine).filter((service) => service === "ec2")),
    askAhead: () => {
      // The way to the credentials is the longest.
      if (commandLine.cluster.name !== undefined) gatherer.warmUp(expectedAwsCalls(commandLine));
      for (const question of factsNeeded(commandLine, {})) asking.askAhead(question);
    },
    gather: (config) => {
      const own = defaultEnvironment(config);
      if (Object.keys(own).length > 0) gatherer.useEnvironment({ ...world.environment, ...own });
      gatherer.warmUp(expectedAwsCalls(config));
      const { promise: expected, resolve: onExpected } = Promise.withResolvers<Facts>();
      const onAnswer = (known: Facts, pending: readonly Question[]): void => {
        expect(expectedAwsCalls(config, known).length);
        const soon = expectedFacts(known, pending);
        if (soon === undefined) return;
        onExpected(soon);
        // While AWS answers there is time for it.
        setImmediate(gatherer.imds.rest);
      };
      return { facts: orTheSignal(world.signal, gatherFacts((facts) => factsNeeded(config, facts), asking, onAnswer)), expected };
    },
    close: once(async () => {
      world.signal.removeEventListener("abort", stop);
      await gatherer.close();
    }),
  };
}

/** What the configuration puts into the environment of all services, this one among them: proxies, above all. */
function defaultEnvironment({ instance: { environment } }: NodeConfig): Readonly<Record<string, string>> {
  return Object.fromEntries(Object.entries(environment["default"] ?? {}).map(([name, { value }]) => [name, value]));
}

/** What was cut short by a signal ends with the signal, and not with what it did to a connection. */
async function orTheSignal<T>(signal: AbortSignal, answer: Promise<T>): Promise<T> {
  try {
    return await answer;
  } catch (error) {
    signal.throwIfAborted();
    throw error;
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

function settingsOf(flags: ConfigFlags, overrides: GatherOverrides, world: FactsWorld, addNote: AddNote): GatherSettings {
  const { imdsRetries, imdsRetryDelaySeconds, imdsTokenTtlSeconds, eksRetryAttempts } = overrides;
  const { privateDnsNameMaxAttempts: maxTries, privateDnsNameAttemptIntervalSeconds: interval } = overrides;
  return {
    root: machineAt(flags.root).root,
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
