import { execFileSync } from "node:child_process";
import { existsSync } from "node:fs";
import { agentPath } from "../../packaging/agent.ts";
import { HOST } from "../../packaging/architecture.ts";
import { rehearse } from "../../packaging/rehearsal.ts";
import { findTool } from "../../packaging/tool.ts";
import { WORLD } from "../simulator/world.ts";
import { measure, medianOf, type Command, type Measurement } from "./measure.ts";

export type AwsCliComparison = { readonly version: string; readonly rows: readonly (Measurement & { readonly name: string })[] };

export const GET_TOKEN = "aws eks get-token";
export const TOKEN = "eks-node-agent token";
export const DESCRIBE_CLUSTER = "aws eks describe-cluster";
export const FACTS = "eks-node-agent facts";

/** The least by which `token` shall be faster than `aws eks get-token`. */
export const LEAST_RATIO = 4;

/**
 * The AWS CLI and the agent, doing for a node what bootstrap.sh and kubelet call the former for. They take turns.
 *
 * @returns undefined where there is no AWS CLI
 */
export async function compareWithAwsCli(runs: number): Promise<AwsCliComparison | undefined> {
  const aws = findAwsCli();
  if (aws === undefined) return undefined;
  return rehearse(async ({ root, env }) => {
    const commands = commandsOf(aws, root, env);
    const measured = commands.map((): Measurement[] => []);
    for (let round = 0; round <= runs; round++) {
      for (const [index, command] of commands.entries()) {
        const one = await measure(command);
        // The first round warms the page cache.
        if (round > 0) measured[index]?.push(one);
      }
    }
    const rows = commands.map(({ name }, index) => ({ name, ...medianOf(measured[index] ?? []) }));
    return { version: execFileSync(aws, ["--version"], { encoding: "utf8" }).trim(), rows };
  });
}

/** How many times as long the first takes as the second. */
export function ratioOf({ rows }: AwsCliComparison, slower: string, faster: string): number {
  const wallOf = (name: string): number => rows.find((row) => row.name === name)?.wallMs ?? NaN;
  return wallOf(slower) / wallOf(faster);
}

/** Where packages put it before where the PATH finds it: what version managers put there takes time of its own. */
function findAwsCli(): string | undefined {
  return ["/usr/bin/aws", "/usr/local/bin/aws"].find((path) => existsSync(path)) ?? findTool("aws");
}

function commandsOf(aws: string, root: string, simulated: Readonly<Record<string, string>>): readonly (Command & { readonly name: string })[] {
  const { region, credentials } = WORLD;
  const env = {
    ...simulated,
    AWS_ACCESS_KEY_ID: credentials.accessKeyId,
    AWS_SECRET_ACCESS_KEY: credentials.secretAccessKey,
    AWS_SESSION_TOKEN: credentials.token,
    // It finds no configuration there, and leaves nothing.
    HOME: root,
  };
  const endpoint = ["--endpoint-url", simulated["AWS_ENDPOINT_URL_EKS"] ?? ""];
  return [
    { name: GET_TOKEN, argv: [aws, "eks", "get-token", "--cluster-name", "demo", "--region", region], env },
    { name: TOKEN, argv: [agentPath(HOST), "token", "--cluster", "demo", "--region", region], env },
    { name: DESCRIBE_CLUSTER, argv: [aws, "eks", "describe-cluster", "--name", "demo", "--region", region, ...endpoint], env },
    // With the credentials of IMDS, as on a node.
    { name: FACTS, argv: [agentPath(HOST), "facts", "demo", "--root", root], env: simulated },
  ];
}
