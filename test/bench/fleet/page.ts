import type { Experiment } from "./experiments.ts";

/** docs/fleet.md: what the simulation is, what it found, and how to repeat it. */
export function fleetPage(sections: readonly (Experiment & { readonly table: string })[]): string {
  return `${HEAD}\n${sections.map(({ title, about, table }) => `## ${title}\n\n${about}\n\n${table}`).join("\n")}\n${TAIL}`;
}

const HEAD = `<!-- Made by \`npm run fleet -- --write\`: change test/bench/fleet/page.ts instead. -->

# A fleet that boots at once

AWS limits how often an account may ask: a bucket of tokens for each action, refilled each second. Where thousands of nodes boot
together nearly all requests are refused at first, and how a program waits before it asks again decides when its nodes join, and
whether they do.

These are simulations of it: nodes boot evenly within 10 seconds and share the account's buckets, on a clock that jumps from event
to event. The agent is its own code for trying again, with its own policy. AL2's bootstrap.sh and nodeadm are what their sources
say about tries and waits, with their standard settings; the tries of the AWS CLI and of the AWS SDK for Go are inside theirs. Only
asking and waiting count: what programs take themselves is left out.

![Nodes that have joined over time](fleet.svg)

Times are from a node's own boot until it has what it needs to join. Percentiles are of all nodes, so that a dash stands where so
many never joined. Those are nodes whose program ended for good: nothing starts bootstrap.sh or nodeadm again, while the agent's unit
starts it 10 seconds after a failure that may pass. Requests are those of the whole fleet, the refused ones included.
`;

const TAIL = `## What to make of it

- With thousands of nodes the account's limit decides: no program can be faster than the dashed line. A policy can only lose nodes,
  waste the tokens of the last ones, or refuse to share the account with others, which is what requests beyond the limit come to.
- bootstrap.sh gives up within three minutes for EC2, and at the first burst for EKS: its waiter ends the script, and the loop around
  it is never used. A fleet that fits into that time has its last nodes soonest with it, since it asks most.
- The mean wait decides how many requests there are: while the bucket is empty, all but a few are refused. The longest wait decides how
  late the last nodes are, when tokens are there and nobody asks. With the same mean, half jitter has the shorter longest wait.
- So the agent has half jitter of 30 s at most. Full jitter of 20 s asks 1.8 times as often for 5,000 nodes, and they join no sooner; with
  half jitter of 40 s the last of 1,000 nodes would be 10 s later.
- A filter doubles the rate: the agent names its instance in \`Filter\` as well as in \`InstanceId\`. Where EC2 does not know the instance yet
  it answers with InvalidInstanceID.NotFound or with no instance; either means to ask again.
- The best policy is to ask for nothing: give the cluster in the user data, and name nodes by their instances (\`--node-name
  instance-id\`) or by IMDS where it can be trusted (\`--node-name-source imds-if-canonical\`), and a fleet of any size makes no request at all.

## What is assumed

- EC2's limits are those of its documentation for a new account: 50 and 10 for DescribeInstances without filter or pages, 100 and 20
  with. bootstrap.sh and nodeadm ask by instance ID alone, which is taken to be the former: the documentation does not say it in so many
  words, and none of this was measured on AWS. Limits can be raised.
- EKS publishes none for DescribeCluster: 20 and 10 are assumed. The figures with EKS show how the programs differ, not how long an
  account of yours would take.
- Refused requests cost no token, nobody else in the account asks for anything, and EC2 knows each instance and its name from the
  beginning. Each answer takes 80 ms.
- bootstrap.sh has version 2 of the AWS CLI, and nodeadm waits for 10 minutes in all.

## To repeat it

\`npm run fleet\` prints the tables, the same ones each time; \`npm run fleet -- --write\` writes this page.
`;
