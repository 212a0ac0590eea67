import { apiHost } from "../data/ecr-region-lookup.ts";
import { createCredentials } from "../gather/credentials.ts";
import { createImds } from "../gather/imds.ts";
import { imdsEndpoint } from "../gather/imds-endpoint.ts";
import { presignCallerIdentity } from "../gather/presign.ts";
import { SYSTEM_CLOCK } from "../io/retry.ts";
import type { Credentials } from "../io/smithy.ts";
import { type ClusterToken, renderExecCredential } from "../render/exec-credential.ts";
import { execApiVersion } from "./exec-info.ts";
import { tellGatherEvent } from "./gather-events.ts";
import type { TokenFlags } from "./token-flags.ts";
import type { World } from "./world.ts";

/** kubelet waits for as long, and a pod's start with it. */
const DEADLINE_MS = 30_000;

/** STS takes the URL for fifteen minutes after it was signed. */
const LIFE_MS = 14 * 60_000;

/**
 * Prints the ExecCredential that kubelet's kubeconfig asks for. With credentials in the environment nothing is asked.
 *
 * @returns the exit status
 */
export async function printToken(flags: TokenFlags, world: World, now: () => Date = () => new Date()): Promise<number> {
  const apiVersion = execApiVersion(world.environment["KUBERNETES_EXEC_INFO"], world.log);
  const credentials = await credentialsOfNode(world);
  world.print(renderExecCredential(await clusterToken(flags, credentials, now()), apiVersion));
  return 0;
}

async function credentialsOfNode({ environment, log, signal }: World): Promise<Credentials> {
  const asking = {
    imds: { endpoint: imdsEndpoint(environment) },
    environment,
    deadlineAt: SYSTEM_CLOCK.now() + DEADLINE_MS,
    clock: SYSTEM_CLOCK,
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
