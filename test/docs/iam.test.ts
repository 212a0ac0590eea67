import { readFileSync } from "node:fs";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { projectPath } from "../../packaging/generate.ts";
import { DOCS_WORLD, type DocsNode, IF_SKIPPED, makeDocsNode, NO_DOCS_NODE } from "./docs-node.ts";
import { EXAMPLE_CA } from "./pages.ts";

import "../build.ts";

/** The first table of docs/iam.md: what is given, as a command line, and what is asked then. */
const ASKED: readonly (readonly [given: string, options: string, actions: readonly string[]])[] = [
  ["the cluster's name", "", ["eks:DescribeCluster", "ec2:DescribeInstances"]],
  ["also endpoint and CA", `--apiserver-endpoint https://a.gr7.us-west-2.eks.amazonaws.com --b64-cluster-ca ${EXAMPLE_CA}`, ["ec2:DescribeInstances"]],
  ["also `--node-name-source imds-if-canonical`", `--apiserver-endpoint https://a.gr7.us-west-2.eks.amazonaws.com --b64-cluster-ca ${EXAMPLE_CA} --node-name-source imds-if-canonical`, []],
  ["instead `--node-name instance-id`", `--apiserver-endpoint https://a.gr7.us-west-2.eks.amazonaws.com --b64-cluster-ca ${EXAMPLE_CA} --node-name instance-id`, []],
];

describe.skipIf(NO_DOCS_NODE !== undefined)(`docs/iam.md${IF_SKIPPED}`, () => {
  let node: DocsNode;
  beforeAll(async () => {
    node = await makeDocsNode();
  });
  afterAll(() => node.close());

  const askedSince = (start: number): ReadonlySet<string> => new Set(node.simulator.requests.slice(start).map(({ target }) => target).filter((target) => target.startsWith("Describe")));

  test.each(ASKED)("given %s, what it says is asked, and no more", async (given, options, actions) => {
    const before = node.simulator.requests.length;
    const { status, stderr } = await node.shell(`eks-node-agent my-cluster ${options} --dry-run`);
    expect({ status, stderr }).toEqual({ status: 0, stderr: "" });
    expect(askedSince(before)).toEqual(new Set(actions.map((action) => action.split(":")[1])));
    expect(rowOf(given)).toContain(actions.length === 0 ? "none" : actions.map((action) => `\`${action}\``).join(", "));
  });

  test("an instance type that nobody knows is asked of EC2, and 110 pods are assumed when that is refused", async () => {
    node.simulator.setWorld({ ...DOCS_WORLD, instanceType: "z9.unheard-of" });
    node.simulator.setFaults([{ on: "DescribeInstanceTypes", kind: "error", status: 403, name: "UnauthorizedOperation", message: "not allowed" }]);
    const { status, stdout } = await node.shell("eks-node-agent my-cluster --dry-run");
    expect(status).toBe(0);
    expect(askedSince(0)).toContain("DescribeInstanceTypes");
    expect(stdout.replace(/\s+/g, " ")).toContain("so 110 pods are assumed");
  });
});

function rowOf(given: string): string {
  const row = readFileSync(projectPath("docs/iam.md"), "utf8").split("\n").find((line) => line.startsWith(`| ${given} |`));
  return row?.split("|").at(-2)?.trim() ?? "";
}
