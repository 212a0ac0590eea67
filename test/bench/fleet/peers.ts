import type { Clock } from "../../../src/io/retry.ts";
import type { Api } from "./api.ts";
import type { Node, Program } from "./programs.ts";

/**
 * AL2's bootstrap.sh, with the waits that it and its private-dns-name have unless told otherwise.
 *
 * Source: awslabs/amazon-eks-ami, templates/al2/runtime. Nothing starts it a second time.
 */
export const BOOTSTRAP_SH: Program = {
  name: "bootstrap.sh",
  asksEks: true,
  join: async (node) => (node.eks === undefined || (await describesCluster(node.clock, node.eks))) && (await findsPrivateDnsName(node)),
};

/** `--aws-api-retry-attempts`. */
const CLUSTER_RETRIES = 3;

/** The waiter fails once the CLI's tries are used up, and `set -o errexit` ends the script there, not in the loop around it. */
async function describesCluster(clock: Clock, eks: Api): Promise<boolean> {
  for (let retries = 0; ; retries += 1) {
    const isActive = await succeeds(AWS_CLI, clock, eks);
    if (!isActive) return false;
    if (await succeeds(AWS_CLI, clock, eks)) return true;
    if (retries === CLUSTER_RETRIES) return false;
    await clock.sleep(1_000 * (5 * 2 ** (1 + retries) + 1 + Math.floor(clock.random() * 10)));
  }
}

const NAME_RETRIES = 20;
const NAME_INTERVAL_MS = 6_000;

async function findsPrivateDnsName({ clock, ec2 }: Node): Promise<boolean> {
  for (let retries = 0; ; retries += 1) {
    if (await succeeds(AWS_CLI, clock, ec2)) return true;
    if (retries === NAME_RETRIES) return false;
    await clock.sleep(NAME_INTERVAL_MS);
  }
}

/**
 * nodeadm's waiter for PrivateDnsName. It never asks EKS.
 *
 * Source: awslabs/amazon-eks-ami, nodeadm/internal/aws/ec2/instance_waiter.go. Nothing starts it a second time.
 */
export const NODEADM: Program = {
  name: "nodeadm",
  asksEks: false,
  join: async ({ clock, ec2 }) => {
    const endsAt = clock.now() + WAITER_MS;
    for (let attempt = 1; ; attempt += 1) {
      if (await succeeds(AWS_SDK_FOR_GO, clock, ec2)) return true;
      const remainingMs = endsAt - clock.now();
      if (remainingMs < WAITER_MIN_MS) return false;
      await clock.sleep(waiterDelay(attempt, remainingMs, clock));
    }
  },
};

/** 3 minutes in some of its versions, which would have more nodes fail. */
const WAITER_MS = 600_000;
const WAITER_MIN_MS = 15_000;
const WAITER_MAX_MS = 120_000;

/** Anything from the least wait to the exponential step, and the last try just before the end. Source: smithy-go, waiter.ComputeDelay. */
function waiterDelay(attempt: number, remainingMs: number, { random }: Clock): number {
  const stepMs = Math.min(WAITER_MAX_MS, WAITER_MIN_MS * 2 ** (attempt - 1));
  const delayMs = WAITER_MIN_MS + random() * (stepMs - WAITER_MIN_MS);
  return remainingMs - delayMs <= WAITER_MIN_MS ? Math.max(0, remainingMs - WAITER_MIN_MS) : delayMs;
}

/** Tries of one call by an SDK in its standard mode: `tries` in all, and after the nth up to firstMs·2^(n-1), evenly. */
type SdkRetries = { readonly tries: number; readonly firstMs: number };

/** Version 2, which AL2's images have. Source: botocore, retries/standard.py. */
const AWS_CLI: SdkRetries = { tries: 3, firstMs: 1_000 };
/** Source: aws-sdk-go-v2, aws/retry. */
const AWS_SDK_FOR_GO: SdkRetries = { tries: 3, firstMs: 2_000 };

async function succeeds({ tries, firstMs }: SdkRetries, clock: Clock, api: Api): Promise<boolean> {
  for (let number = 1; ; number += 1) {
    if (await api.ask().then(() => true, () => false)) return true;
    if (number === tries) return false;
    await clock.sleep(clock.random() * firstMs * 2 ** (number - 1));
  }
}
