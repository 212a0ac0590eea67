import type { NodeConfig } from "../config/node-config.ts";
import { AgentError } from "../errors.ts";
import { type Sourced, sourced } from "../lib/sourced.ts";
import type { Cluster } from "./cluster.ts";
import type { HostFacts } from "./facts.ts";
import type { AddNote } from "./notes.ts";

/** kubelet's exec credential plugin. */
export type Authenticator = { readonly command: string; readonly args: readonly string[] };

type Named = "aws-iam-authenticator" | "aws";

/** `auto` is aws-iam-authenticator where it is installed, else the AWS CLI. A named program must be there. */
export function resolveAuthenticator(config: NodeConfig, host: HostFacts, cluster: Cluster, region: string, addNote: AddNote): Sourced<Authenticator> {
  const choice = config.kubelet.authenticator;
  if (choice !== undefined && choice.value !== "auto") return sourced(named(choice, host, cluster, region), choice.source);
  const found = (["aws-iam-authenticator", "aws"] as const).find((name) => host.programs[name] !== undefined);
  if (found !== undefined) return sourced(authenticator(found, host.programs[found] ?? "", cluster, region), `found at ${host.programs[found]}`);
  addNote("no-authenticator", `Neither aws-iam-authenticator nor the AWS CLI is installed, so kubelet cannot authenticate until one is: the kubeconfig names ${FALLBACK}.`);
  return sourced(authenticator("aws", FALLBACK, cluster, region), "default");
}

const FALLBACK = "/usr/bin/aws";

function named(choice: Sourced<string>, host: HostFacts, cluster: Cluster, region: string): Authenticator {
  const name: Named | undefined = choice.value === "aws" || choice.value === "aws-iam-authenticator" ? choice.value : undefined;
  const path = name === undefined ? undefined : host.programs[name];
  if (name !== undefined && path !== undefined) return authenticator(name, path, cluster, region);
  const why = name === undefined ? "this version of the agent cannot make tokens yet" : "it is not installed";
  throw new AgentError("program-missing", `Cannot use the authenticator ${JSON.stringify(choice.value)} (${choice.source}): ${why}`, {
    remedy: "Install aws-iam-authenticator in the image, or leave the choice to --authenticator auto.",
  });
}

function authenticator(name: Named, path: string, cluster: Cluster, region: string): Authenticator {
  const id = cluster.authenticationId.value;
  return name === "aws"
    ? { command: path, args: ["eks", "get-token", "--cluster-name", id, "--region", region] }
    : { command: path, args: ["token", "-i", id, "--region", region] };
}
