import type { AwsCliComparison } from "./aws-cli.ts";
import type { Counts } from "./counts.ts";
import type { Measurement } from "./measure.ts";
import type { Sizes } from "./sizes.ts";

export type Latency = { readonly imdsMs: number; readonly awsMs: number };

export type Result = Measurement & {
  readonly name: string;
  /** Undefined where nobody is asked. */
  readonly latency?: Latency;
  readonly requests: number;
  /** The longest chain of requests, each of which waited for the one before. */
  readonly depth: number;
  /** The most that were unanswered at one time. */
  readonly inFlight: number;
};

/** All that `npm run bench` measures: build/bench.json. */
export type Report = {
  readonly runs: number;
  readonly node: string;
  readonly arch: string;
  /** An executable that does nothing. */
  readonly empty: Measurement;
  readonly results: readonly Result[];
  readonly counts: readonly Counts[];
  readonly awsCli: AwsCliComparison | undefined;
  readonly sizes: Sizes;
};
