import { isImagePresent, pinImage, pullImage, pullImageWithLogin } from "../apply/sandbox-image.ts";
import { type EcrHost, parseEcrHost } from "../data/ecr-host.ts";
import { apiHost } from "../data/ecr-region-lookup.ts";
import { type AwsSettings, createAws } from "../gather/aws.ts";
import { fetchRegistryLogin } from "../gather/ecr.ts";
import { imdsEndpoint } from "../gather/imds-endpoint.ts";
import { createImds } from "../gather/imds.ts";
import { type Clock, SYSTEM_CLOCK } from "../io/retry.ts";
import { tellGatherEvent } from "./gather-events.ts";
import type { PullFlags } from "./pull-flags.ts";
import type { World } from "./world.ts";

type PullWorld = Pick<World, "environment" | "log" | "signal">;

/** The unit tries again: it is better to begin anew than to wait for long. */
const DEADLINE_MS = 60_000;

/**
 * Has the sandbox image in containerd, pinned. One that is there is not asked for anywhere.
 *
 * @returns the exit status
 * @throws AgentError when it cannot be had
 */
export async function pullSandboxImage({ image: { full, host } }: PullFlags, world: PullWorld, clock: Clock = SYSTEM_CLOCK): Promise<number> {
  const { log, signal } = world;
  if (await isImagePresent(full, signal)) {
    log.info("the sandbox image is there already", { image: full });
  } else {
    await pull(full, host, world, clock);
    log.info("the sandbox image was pulled", { image: full });
  }
  await pinImage(full, signal);
  return 0;
}

async function pull(reference: string, host: string, world: PullWorld, clock: Clock): Promise<void> {
  const registry = parseEcrHost(host);
  if (registry === undefined) return pullImage(reference, world.signal);
  await pullImageWithLogin(reference, host, await login(registry, world, clock), world.signal);
}

async function login(registry: EcrHost, { environment, log, signal }: PullWorld, clock: Clock): Promise<string> {
  const settings: AwsSettings = {
    deadlineAt: clock.now() + DEADLINE_MS,
    imds: { endpoint: imdsEndpoint(environment) },
    environment,
    apiHost,
    clock,
    onEvent: (event) => tellGatherEvent(event, log, (_, message) => log.warn(message)),
  };
  const imds = createImds(settings);
  const aws = createAws(imds, settings, signal);
  try {
    return await fetchRegistryLogin(registry, aws);
  } finally {
    await Promise.all([imds.close(), aws.http.close()]);
  }
}
