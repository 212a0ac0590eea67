import type { NodeConfig } from "../config/node-config.ts";
import { AgentError } from "../errors.ts";
import { type Sourced, sourced } from "../lib/sourced.ts";
import type { Cluster } from "./cluster.ts";
import type { HostFacts } from "./facts.ts";

/** kubelet's exec credential plugin. */
export type Authenticator = { readonly command: string; readonly args: readonly string[] };

/** Where the package installs this program: kubelet calls it long after it ran, which may have been from elsewhere. */
const AGENT = "/usr/bin/eks-node-agent";

/**
 * `auto` is aws-iam-authenticator where it is installed, else the agent itself: the AWS CLI is slow, and old ones answer in
 * a version that kubelet knows no more. A named program must be there.
 */
export function resolveAuthenticator(config: NodeConfig, host: HostFacts, cluster: Cluster, region: string): Sourced<Authenticator> {
  const asked = { id: cluster.authenticationId.value, region };
  const choice = config.kubelet.authenticator;
  if (choice !== undefined && choice.value !== "auto") return sourced(authenticator(choice.value, pathOf(choice.value, choice.source, host), asked), choice.source);
  const iam = host.programs["aws-iam-authenticator"];
  if (iam === undefined) return sourced(authenticator("agent", AGENT, asked), "default, aws-iam-authenticator is not installed");
  return sourced(authenticator("aws-iam-authenticator", iam, asked), `found at ${iam}`);
}

type Name = keyof typeof ARGUMENTS;

function pathOf(name: Name, source: string, host: HostFacts): string {
  const path = name === "agent" ? AGENT : host.programs[name];
  if (path !== undefined) return path;
  throw new AgentError("program-missing", `Cannot use the authenticator "${name}" (${source}): it is not installed`, {
    remedy: "Install it in the image, or leave the choice to --authenticator auto.",
  });
}

type Asked = { readonly id: string; readonly region: string };

const ARGUMENTS = {
  "aws-iam-authenticator": ({ id, region }: Asked) => ["token", "-i", id, "--region", region],
  aws: ({ id, region }: Asked) => ["eks", "get-token", "--cluster-name", id, "--region", region],
  agent: ({ id, region }: Asked) => ["token", "--cluster", id, "--region", region],
} as const;

function authenticator(name: Name, command: string, asked: Asked): Authenticator {
  return { command, args: ARGUMENTS[name](asked) };
}
