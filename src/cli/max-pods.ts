import { instanceTypeLimits } from "../data/instance-type-lookup.ts";
import { apiHost, partitionOf } from "../data/ecr-region-lookup.ts";
import { type AwsSettings, createAws } from "../gather/aws.ts";
import { fetchInstanceTypeDetails } from "../gather/ec2.ts";
import { createImds, type Imds } from "../gather/imds.ts";
import { gatherInstanceType, gatherRegion } from "../gather/instance.ts";
import { SYSTEM_CLOCK } from "../io/retry.ts";
import { decidedPods, type KnownPodLimits, podsFor } from "../resolve/pod-limits.ts";
import { tellGatherEvent } from "./gather-events.ts";
import { imdsSettings } from "./imds-settings.ts";
import type { MaxPodsFlags } from "./max-pods-flags.ts";
import { regionOfEnvironment } from "./region.ts";
import type { World } from "./world.ts";

type MaxPodsWorld = Pick<World, "environment" | "log" | "print" | "signal">;

const DEADLINE_MS = 60_000;

/**
 * Prints how many pods an instance type can run, as max-pods-calculator.sh does: one number. EC2 is asked only for what
 * the built-in table does not know.
 *
 * @returns the exit status
 */
export async function printMaxPods(flags: MaxPodsFlags, world: MaxPodsWorld): Promise<number> {
  for (const word of flags.ignored) world.log.warn(`"${word}" means nothing to max-pods, and is ignored`);
  const settings = awsSettings(world);
  const imds = createImds(settings);
  try {
    const type = flags.instanceType ?? (await gatherInstanceType(imds, world.signal));
    const pods = podsByTable(type, flags) ?? podsFor(await limitsOfEc2(type, flags, imds, settings, world), flags.cni, !flags.showMaxAllowed);
    world.print(`${pods}\n`);
    return 0;
  } finally {
    await imds.close();
  }
}

function awsSettings({ environment, log }: MaxPodsWorld): AwsSettings {
  return {
    deadlineAt: SYSTEM_CLOCK.now() + DEADLINE_MS,
    imds: imdsSettings(environment),
    environment,
    apiHost,
    clock: SYSTEM_CLOCK,
    onEvent: (event) => tellGatherEvent(event, log, (_, message) => log.warn(message)),
  };
}

/** Undefined when the table does not know enough of the type. */
function podsByTable(type: string, { cni, showMaxAllowed }: MaxPodsFlags): number | undefined {
  const limits = instanceTypeLimits(type);
  if (limits === undefined) return undefined;
  const isNitro = limits.hypervisor === undefined ? undefined : limits.hypervisor === "nitro";
  return decidedPods({ ...limits, isNitro }, cni, !showMaxAllowed);
}

async function limitsOfEc2(type: string, { profile }: MaxPodsFlags, imds: Imds, settings: AwsSettings, world: MaxPodsWorld): Promise<KnownPodLimits> {
  if (profile !== undefined) world.log.warn(`The profile "${profile}" is not used: EC2 is asked with the credentials of the environment or the instance`);
  const region = regionOfEnvironment(world.environment) ?? (await gatherRegion(imds, world.signal));
  const aws = createAws(imds, settings, world.signal);
  try {
    const details = await fetchInstanceTypeDetails({ kind: "instance-type", region, type }, partitionOf(region)?.dnsSuffix ?? "amazonaws.com", aws);
    return { ...details, isNitro: details.hypervisor === "nitro" };
  } finally {
    await aws.http.close();
  }
}
