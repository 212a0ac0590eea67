import { describe, expect, it } from "vitest";
import { PATHS } from "../../src/lib/paths.ts";
import { GIVEN, host, HOST, option, withoutProgram } from "../resolve/fixture.ts";
import { fileOf, planOf } from "./fixture.ts";

const kubeconfig = (command: string, ...args: readonly string[]): string =>
  [
    "apiVersion: v1",
    "kind: Config",
    "clusters:",
    "- name: kubernetes",
    "  cluster:",
    "    certificate-authority: /etc/kubernetes/pki/ca.crt",
    "    server: https://given.example",
    "contexts:",
    "- name: kubelet",
    "  context:",
    "    cluster: kubernetes",
    "    user: kubelet",
    "current-context: kubelet",
    "users:",
    "- name: kubelet",
    "  user:",
    "    exec:",
    "      apiVersion: client.authentication.k8s.io/v1beta1",
    `      command: ${command}`,
    "      args:",
    ...args.map((arg) => `      - ${arg}`),
    "",
  ].join("\n");

const ADDRESSES = { addresses: { "given.example": ["10.1.0.5"] } };

describe("the kubeconfig", () => {
  it("has aws-iam-authenticator make the tokens", () => {
    expect(fileOf(planOf(), PATHS.kubeconfig)?.contents).toBe(kubeconfig("/usr/bin/aws-iam-authenticator", "token", '"-i"', "demo", "--region", "us-east-1"));
  });

  it("or the agent", () => {
    const plan = planOf({}, { host: withoutProgram("aws-iam-authenticator") });
    expect(fileOf(plan, PATHS.kubeconfig)?.contents).toBe(kubeconfig("/usr/bin/eks-node-agent", "token", "--cluster", "demo", "--region", "us-east-1"));
  });

  it("in a local cluster on Outposts has the cluster's id, in the bootstrap kubeconfig", () => {
    const plan = planOf({ cluster: { ...GIVEN, outpost: option(true, "enable-local-outpost"), id: option("0a1b2c3d", "cluster-id") } }, ADDRESSES);
    expect(fileOf(plan, PATHS.bootstrapKubeconfig)?.contents).toBe(kubeconfig("/usr/bin/aws-iam-authenticator", "token", '"-i"', '"0a1b2c3d"', "--region", "us-east-1"));
  });

  it("quotes a cluster's name that YAML would take for something else", () => {
    const plan = planOf({ cluster: { ...GIVEN, name: option("1e3", "name") } }, { host: host({ programs: HOST.programs }) });
    expect(fileOf(plan, PATHS.kubeconfig)?.contents).toContain('      - "1e3"\n');
  });
});
