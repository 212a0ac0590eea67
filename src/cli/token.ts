import { apiHost } from "../data/ecr-region-lookup.ts";
import { createCredentials } from "../gather/credentials.ts";
import { createImds } from "../gather/imds.ts";
import { imdsEndpoint } from "../gather/imds-endpoint.ts";
import { presignCallerIdentity } from "../gather/presign.ts";
import { type Clock, SYSTEM_CLOCK } from "../io/retry.ts";
import type { Credentials } from "../io/smithy.ts";
import { type ClusterToken, renderExecCredential } from "../render/exec-credential.ts";
import { execApiVersion } from "./exec-info.ts";
import { tellGatherEvent } from "./gather-events.ts";
import type { TokenFlags } from "./token-flags.ts";
import type { World } from "./world.ts";

/** The date, which is signed, and the time to wait. */
type Time = { readonly now: () => Date; readonly clock: Clock };

const REAL_TIME: Time = { now: () => new Date(), clock: SYSTEM_CLOCK };

type TokenWorld = Pick<World, "environment" | "log" | "print" | "signal">;

/** kubelet waits for as long, and a pod's start with it. */
const DEADLINE_MS = 30_000;

/** STS takes the URL for fifteen minutes after it was signed. */
const LIFE_MS = 14 * 60_000;

/**
 * Prints the ExecCredential that kubelet's kubeconfig asks for. With credentials in the environment nothing is asked.
 *
 * @returns the exit status
 */
export async function printToken(flags: TokenFlags, world: TokenWorld, { now, clock }: Time = REAL_TIME): Promise<number> {
  const apiVersion = execApiVersion(world.environment["KUBERNETES_EXEC_INFO"], world.log);
  const credentials = await credentialsOfNode(world, clock);
  world.print(renderExecCredential(await clusterToken(flags, credentials, now()), apiVersion));
  return 0;
}

async function credentialsOfNode({ environment, log, signal }: TokenWorld, clock: Clock): Promise<Credentials> {
  const asking = {
    imds: { endpoint: imdsEndpoint(environment) },
    environment,
    deadlineAt: clock.now() + DEADLINE_MS,
    clock,
    onEvent: (event: Parameters<typeof tellGatherEvent>[0]) => tellGatherEvent(event, log, (_, message) => log.warn(message)),
    signal,
  };
  const imds = createImds(asking);
  try {
    return await createCredentials(imds, asking).get();
  } finally {
    await imds.close();
  }
}

async function clusterToken({ cluster, region }: TokenFlags, credentials: Credentials, now: Date): Promise<ClusterToken> {
  // Always this host: the control plane fetches the URL, and takes those of FIPS and dual-stack endpoints not everywhere.
  const host = apiHost("sts", region, "plain") ?? `sts.${region}.amazonaws.com`;
  const url = await presignCallerIdentity({ cluster, region, host, credentials, now });
  const end = now.getTime() + LIFE_MS;
  return { url, expiresAt: new Date(Math.min(end, credentials.expiration?.getTime() ?? end)) };
}
