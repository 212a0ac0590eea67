import { DESCRIBE_CLUSTER, DESCRIBE_INSTANCES, sharedApi } from "./api.ts";
import type { Program } from "./programs.ts";
import { seededRandom } from "./random.ts";
import type { Limits } from "./token-bucket.ts";
import { virtualTime } from "./virtual-time.ts";

export type Fleet = {
  readonly program: Program;
  readonly nodes: number;
  readonly ec2: Limits;
  /** Absent when the user data says what the cluster is. */
  readonly eks?: Limits;
  readonly seed?: number;
};

export type Outcome = {
  /** Milliseconds from a node's boot until it knows all that it needs to join, sorted; nodes that failed are not in it. */
  readonly joinMs: readonly number[];
  readonly failed: number;
  /** Requests of all nodes, the refused ones included. */
  readonly calls: number;
};

/** All nodes boot within this time, evenly. */
const BOOT_MS = 10_000;

/** What becomes of a fleet whose nodes all boot at about the same time. The same for the same fleet, always. */
export async function simulate({ program, nodes, ec2, eks, seed = 1 }: Fleet): Promise<Outcome> {
  const time = virtualTime();
  const ec2Api = sharedApi(DESCRIBE_INSTANCES, ec2, time);
  const eksApi = eks === undefined ? undefined : sharedApi(DESCRIBE_CLUSTER, eks, time);
  const joinMs: number[] = [];
  const boot = async (number: number): Promise<void> => {
    const random = seededRandom(seed * 1_000_003 + number);
    await time.sleep(random() * BOOT_MS);
    const bootedAt = time.now();
    const hasJoined = await program.join({ clock: { now: time.now, sleep: time.sleep, random }, ec2: ec2Api, eks: eksApi });
    if (hasJoined) joinMs.push(time.now() - bootedAt);
  };
  const booted = Promise.all(Array.from({ length: nodes }, (_, number) => boot(number)));
  await time.run();
  await booted;
  return { joinMs: joinMs.sort((a, b) => a - b), failed: nodes - joinMs.length, calls: ec2Api.calls() + (eksApi?.calls() ?? 0) };
}

/** Milliseconds within which `percent` of all nodes had joined, the failed ones among all; undefined if so many never did. */
export function joinPercentile({ joinMs, failed }: Outcome, percent: number): number | undefined {
  return joinMs[Math.max(1, Math.ceil(((joinMs.length + failed) * percent) / 100)) - 1];
}
