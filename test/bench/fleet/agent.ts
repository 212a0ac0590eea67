import { AgentError } from "../../../src/errors.ts";
import { persistently } from "../../../src/gather/persistently.ts";
import { AWS_POLICY } from "../../../src/gather/policies.ts";
import type { RetryPolicy } from "../../../src/io/retry.ts";
import type { Node, Program } from "./programs.ts";

/** `--deadline`, unless given. */
const DEADLINE_MS = 600_000;
/** RestartSec of systemd/eks-node-agent.service, whose start limit is off. */
const RESTART_MS = 10_000;
/** Far beyond what any policy here needs, so that a policy that never gets through ends all the same. */
const MOST_STARTS = 20;

/** The agent as its unit runs it: its own code tries again, under `policy`. */
export function agent(policy: RetryPolicy = AWS_POLICY, name = "eks-node-agent"): Program {
  return { name, asksEks: true, join: (node) => joinBy(policy, node) };
}

async function joinBy(policy: RetryPolicy, node: Node): Promise<boolean> {
  for (let starts = 1; starts <= MOST_STARTS; starts += 1) {
    if (await runOnce(policy, node)) return true;
    await node.clock.sleep(RESTART_MS);
  }
  return false;
}

/** EKS and EC2 are asked at once. */
async function runOnce(policy: RetryPolicy, { clock, ec2, eks }: Node): Promise<boolean> {
  const context = { clock, deadlineAt: clock.now() + DEADLINE_MS, onEvent: () => undefined };
  const asks = [ec2, ...(eks === undefined ? [] : [eks])].map((api) => persistently(context, taskOf(policy), api.ask));
  const outcomes = await Promise.allSettled(asks);
  for (const outcome of outcomes) {
    if (outcome.status === "rejected" && !(outcome.reason instanceof AgentError)) throw outcome.reason;
  }
  return outcomes.every(({ status }) => status === "fulfilled");
}

function taskOf(policy: RetryPolicy): Parameters<typeof persistently>[1] & { readonly policy: RetryPolicy } {
  return { service: "ec2", target: "DescribeInstances", task: "Cannot ask AWS", remedy: "Start fewer nodes at once.", policy };
}
