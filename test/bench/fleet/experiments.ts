import { agent } from "./agent.ts";
import { CANDIDATES } from "./candidates.ts";
import { BOOTSTRAP_SH, NODEADM } from "./peers.ts";
import { simulate, type Fleet, type Outcome } from "./simulate.ts";
import type { Limits } from "./token-bucket.ts";

/** What an account has for DescribeInstances with neither filter nor pages, as bootstrap.sh and nodeadm ask. Source: EC2 Developer Guide, "Request throttling for the Amazon EC2 API". */
export const EC2_LIMITS: Limits = { burst: 50, perSecond: 10 };
/** The same with a filter or pages. The agent sends a filter. */
const EC2_FILTERED_LIMITS: Limits = { burst: 100, perSecond: 20 };
/** An assumption: AWS does not publish those of DescribeCluster. */
export const EKS_LIMITS: Limits = { burst: 20, perSecond: 10 };

const SIZES = [100, 1_000, 5_000, 10_000] as const;
const PROGRAMS = [agent(), BOOTSTRAP_SH, NODEADM];
/** nodeadm has to be told what the cluster is. */
const ASKING_EKS = PROGRAMS.filter(({ asksEks }) => asksEks);

export type Result = { readonly fleet: Fleet; readonly outcome: Outcome };
export type Experiment = { readonly title: string; readonly about: string; readonly fleets: readonly Fleet[] };

export const ENDPOINT_GIVEN: Experiment = {
  title: "The cluster is in the user data",
  about: `Each node asks EC2 for its name and nothing else. All have the limit of requests with neither filter nor pages, so that the waits alone differ. ${shown("ec2:DescribeInstances", EC2_LIMITS)}`,
  fleets: SIZES.flatMap((nodes) => PROGRAMS.map((program) => ({ program, nodes, ec2: EC2_LIMITS }))),
};

const ENDPOINT_ASKED: Experiment = {
  title: "EKS is asked for the cluster as well",
  about: `nodeadm cannot do it. ${shown("eks:DescribeCluster", EKS_LIMITS)}`,
  fleets: [100, 1_000, 5_000].flatMap((nodes) => ASKING_EKS.map((program) => ({ program, nodes, ec2: EC2_LIMITS, eks: EKS_LIMITS }))),
};

export const AS_THEY_ASK: Experiment = {
  title: "Each with the limit of its own requests",
  about: `The agent's request has a filter, for which EC2's documentation names a larger bucket. ${shown("ec2:DescribeInstances", EC2_FILTERED_LIMITS)} bootstrap.sh and nodeadm are as above.`,
  fleets: [1_000, 5_000, 10_000].flatMap((nodes) => PROGRAMS.map((program, index) => ({ program, nodes, ec2: index === 0 ? EC2_FILTERED_LIMITS : EC2_LIMITS }))),
};

const LARGER_BUCKET: Experiment = {
  title: "An account with higher limits",
  about: `Twice those of a new account, for all of them. ${shown("ec2:DescribeInstances", EC2_FILTERED_LIMITS)}`,
  fleets: PROGRAMS.map((program) => ({ program, nodes: 5_000, ec2: EC2_FILTERED_LIMITS })),
};

const WAITS: Experiment = {
  title: "Other waits of the agent",
  about: `Full jitter waits for anything up to the exponential step, half jitter for no less than half of it; the step begins with 1 s. ${shown("ec2:DescribeInstances", EC2_LIMITS)}`,
  fleets: [1_000, 5_000].flatMap((nodes) => CANDIDATES.map((program) => ({ program, nodes, ec2: EC2_LIMITS }))),
};

export const EXPERIMENTS: readonly Experiment[] = [ENDPOINT_GIVEN, AS_THEY_ASK, ENDPOINT_ASKED, LARGER_BUCKET, WAITS];

export async function runExperiment({ fleets }: Experiment): Promise<readonly Result[]> {
  const results: Result[] = [];
  for (const fleet of fleets) results.push({ fleet, outcome: await simulate(fleet) });
  return results;
}

function shown(action: string, { burst, perSecond }: Limits): string {
  return `${action}: ${burst} requests at once, then ${perSecond} each second.`;
}
