import { fixedDelay, fullJitter, halfJitter } from "../io/retry.ts";
import type { Delay, RetryPolicy } from "../io/retry.ts";

/** IMDS is on this machine: it answers in milliseconds, or is not there yet. */
export const IMDS_POLICY: RetryPolicy = {
  delay: fullJitter(100, 2_000),
  perTryMs: 2_000,
  brief: { withinMs: 10_000, delay: fullJitter(500, 2_000) },
};

/**
 * EKS and EC2, which a whole fleet may ask at once. By the simulation of docs/fleet.md: shorter waits ask more often, which the account's limit answers with
 * refusals alone; longer ones keep the last nodes of a smaller fleet waiting while nobody asks.
 */
export const AWS_POLICY: RetryPolicy = {
  delay: halfJitter(1_000, 30_000),
  perTryMs: 5_000,
  // IAM is eventually consistent: a role made a moment ago is refused for some seconds.
  brief: { withinMs: 10_000, delay: fullJitter(1_000, 4_000) },
};

/** How long an instance may be without an instance profile: one can be attached after the launch. */
export const NO_PROFILE_MS = 120_000;

/** DescribeCluster under `--aws-api-retry-attempts`: so many tries more than the first, with bootstrap.sh's sleeps. */
export function bootstrapPolicy(attempts: number): RetryPolicy {
  return { ...AWS_POLICY, delay: bootstrapSleep, maxTries: attempts + 1 };
}

/** 5·2^(1+n) seconds after the nth failure from 0, and 1 to 10 seconds more. */
const bootstrapSleep: Delay = (failures, random) => 1_000 * (5 * 2 ** failures + 1 + Math.floor(random() * 10));

/** A policy with a limit of its own on tries, and a fixed wait, where an operator set them. */
export function limitedPolicy(policy: RetryPolicy, maxTries: number | undefined, intervalMs: number | undefined): RetryPolicy {
  return {
    ...policy,
    ...(maxTries === undefined ? {} : { maxTries }),
    ...(intervalMs === undefined ? {} : { delay: fixedDelay(intervalMs) }),
  };
}
