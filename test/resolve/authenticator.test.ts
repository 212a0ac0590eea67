import { describe, expect, it } from "vitest";
import type { HostFacts } from "../../src/resolve/facts.ts";
import { resolveAuthenticator } from "../../src/resolve/authenticator.ts";
import { resolveCluster } from "../../src/resolve/cluster.ts";
import { FACTS, GIVEN, HOST, nodeConfig, option, withoutProgram } from "./fixture.ts";

type Choice = "auto" | "aws-iam-authenticator" | "aws" | "agent";

function authenticator(of: HostFacts, choice?: Choice, outpost = false): unknown {
  const cluster = outpost ? { ...GIVEN, outpost: option(true, "enable-local-outpost"), id: option("c0ffee", "cluster-id") } : GIVEN;
  const config = nodeConfig({ cluster, kubelet: choice === undefined ? {} : { authenticator: option(choice, "authenticator") } });
  const resolved = resolveCluster(config, FACTS, option("demo", "name"), () => undefined);
  return resolveAuthenticator(config, of, resolved, "us-east-1");
}

const iam = { command: "/usr/bin/aws-iam-authenticator", args: ["token", "-i", "demo", "--region", "us-east-1"] };
const aws = { command: "/usr/bin/aws", args: ["eks", "get-token", "--cluster-name", "demo", "--region", "us-east-1"] };
const agent = { command: "/usr/bin/eks-node-agent", args: ["token", "--cluster", "demo", "--region", "us-east-1"] };
const noIam = withoutProgram("aws-iam-authenticator");

describe("kubelet's authenticator", () => {
  it.each<[string, HostFacts, Choice | undefined, unknown, string]>([
    ["aws-iam-authenticator where it is", HOST, undefined, iam, "found at /usr/bin/aws-iam-authenticator"],
    ["auto is no choice", HOST, "auto", iam, "found at /usr/bin/aws-iam-authenticator"],
    ["else the agent itself", noIam, undefined, agent, "default, aws-iam-authenticator is not installed"],
    ["the agent itself, with auto", noIam, "auto", agent, "default, aws-iam-authenticator is not installed"],
    ["the agent itself, where there is nothing", { ...HOST, programs: {} }, undefined, agent, "default, aws-iam-authenticator is not installed"],
    ["the agent on request", HOST, "agent", agent, "option --authenticator"],
    ["the AWS CLI on request", HOST, "aws", aws, "option --authenticator"],
    ["aws-iam-authenticator on request", HOST, "aws-iam-authenticator", iam, "option --authenticator"],
  ])("%s", (_, of, choice, value, source) => {
    expect(authenticator(of, choice)).toEqual({ value, source });
  });

  it.each<[Choice | undefined, readonly string[]]>([
    [undefined, ["token", "-i", "c0ffee", "--region", "us-east-1"]],
    ["agent", ["token", "--cluster", "c0ffee", "--region", "us-east-1"]],
    ["aws", ["eks", "get-token", "--cluster-name", "c0ffee", "--region", "us-east-1"]],
  ])("asks for the id of a local cluster on Outposts (%s)", (choice, args) => {
    expect(authenticator(HOST, choice, true)).toMatchObject({ value: { args } });
  });

  it.each<Choice>(["aws-iam-authenticator", "aws"])("%s on request, and missing, is an error", (choice) => {
    expect(() => authenticator({ ...HOST, programs: {} }, choice)).toThrow(
      expect.objectContaining({ code: "program-missing", exitStatus: 72, message: `Cannot use the authenticator "${choice}" (option --authenticator): it is not installed` }) as Error,
    );
  });
});
