import { apiFailure } from "../../../src/gather/aws-errors.ts";
import { tokenBucket, type Limits } from "./token-bucket.ts";
import type { VirtualTime } from "./virtual-time.ts";

/** An API's action as all nodes of a fleet share it. */
export type Api = {
  /** Rejects, as the agent's own requests do, when there is no token for it. */
  readonly ask: () => Promise<void>;
  readonly calls: () => number;
};

export type Action = { readonly name: string; readonly throttledName: string; readonly status: number };

export const DESCRIBE_CLUSTER: Action = { name: "eks:DescribeCluster", throttledName: "ThrottlingException", status: 429 };
export const DESCRIBE_INSTANCES: Action = { name: "ec2:DescribeInstances", throttledName: "RequestLimitExceeded", status: 503 };

/** From the request to the answer; an assumption, the latency that `npm run bench` has as well. */
const LATENCY_MS = 80;

export function sharedApi({ name, throttledName, status }: Action, limits: Limits, time: VirtualTime): Api {
  const bucket = tokenBucket(limits);
  // One for all, since nearly every request of a large fleet is refused.
  const refusal = apiFailure({ name: throttledName, status, message: "Rate exceeded" }, { action: name, deniedRemedy: "" });
  let calls = 0;
  return {
    calls: () => calls,
    ask: async () => {
      calls += 1;
      const isGranted = bucket.take(time.now());
      await time.sleep(LATENCY_MS);
      if (!isGranted) throw refusal;
    },
  };
}
