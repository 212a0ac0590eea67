import { AWS_POLICY } from "../../../src/gather/policies.ts";
import { fullJitter, halfJitter, type Delay } from "../../../src/io/retry.ts";
import { agent } from "./agent.ts";
import type { Program } from "./programs.ts";

/** The agent with other waits than it has, to choose by. */
export const CANDIDATES: readonly Program[] = [
  candidate("full jitter, 20 s at most", fullJitter(1_000, 20_000)),
  candidate("full jitter, 30 s at most", fullJitter(1_000, 30_000)),
  candidate("full jitter, 60 s at most", fullJitter(1_000, 60_000)),
  candidate("half jitter, 20 s at most", halfJitter(1_000, 20_000)),
  candidate("half jitter, 30 s at most: the agent's", halfJitter(1_000, 30_000)),
  candidate("half jitter, 40 s at most", halfJitter(1_000, 40_000)),
  candidate("half jitter, 60 s at most", halfJitter(1_000, 60_000)),
];

function candidate(name: string, delay: Delay): Program {
  return agent({ ...AWS_POLICY, delay }, name);
}
