import { describe, expect, it } from "vitest";
import { parseEksctlEnvironment } from "../../src/config/eksctl.ts";
import { showProblem } from "../../src/config/problems.ts";
import { configOf, type Part } from "../../src/config/settings.ts";
import { CLUSTER_CA_PEM } from "../simulator/world.ts";

const FILE = "/etc/eksctl/kubelet.env";
const from = <Value>(name: string, value: Value) => ({ value, source: `${name} of ${FILE}` });
const read = (text: string) => parseEksctlEnvironment(text, FILE);

/** What the two labels of eksctl are beside. */
const withLabels = (part: Part) => configOf({ ...part, kubelet: { eksctlLabels: { value: true, source: FILE }, ...part.kubelet } });

describe("a line of kubelet.env", () => {
  it.each<[string, Part]>([
    ["CLUSTER_NAME=demo", { cluster: { name: from("CLUSTER_NAME", "demo") } }],
    ["API_SERVER_URL=https://a.example", { cluster: { apiServerEndpoint: from("API_SERVER_URL", "https://a.example") } }],
    [`B64_CLUSTER_CA=${Buffer.from(CLUSTER_CA_PEM).toString("base64")}`, { cluster: { certificateAuthority: from("B64_CLUSTER_CA", CLUSTER_CA_PEM) } }],
    ["CLUSTER_DNS=10.100.0.10", { cluster: { dnsAddresses: from("CLUSTER_DNS", ["10.100.0.10"]) } }],
    ["CLUSTER_ID=id-1", { cluster: { id: from("CLUSTER_ID", "id-1") } }],
    ["ENABLE_LOCAL_OUTPOST=true", { cluster: { outpost: from("ENABLE_LOCAL_OUTPOST", true) } }],
    ["CONTAINER_RUNTIME=containerd", { docker: { runtime: from("CONTAINER_RUNTIME", "containerd") } }],
    ["NODE_LABELS=a=b,c=d", { kubelet: { flags: [from("NODE_LABELS", ["--node-labels=a=b,c=d"])] } }],
    ["NODE_TAINTS=a=b:NoSchedule", { kubelet: { flags: [from("NODE_TAINTS", ["--register-with-taints=a=b:NoSchedule"])] } }],
    ["MAX_PODS=17", { kubelet: { flags: [from("MAX_PODS", ["--max-pods=17"])] } }],
    ["NODE_LABELS=", {}],
    ["NODE_TAINTS=''", {}],
    ["", {}],
    ["  # CLUSTER_NAME=x", {}],
    ["AWS_REGION=eu-west-1", {}],
    ["export CLUSTER_NAME=demo\r", { cluster: { name: from("CLUSTER_NAME", "demo") } }],
    ['CLUSTER_NAME="demo"', { cluster: { name: from("CLUSTER_NAME", "demo") } }],
    ["CLUSTER_NAME='demo'", { cluster: { name: from("CLUSTER_NAME", "demo") } }],
    ["CLUSTER_NAME=x\nCLUSTER_NAME=demo", { cluster: { name: from("CLUSTER_NAME", "demo") } }],
  ])("%j", (text, part) => {
    expect(read(text)).toEqual({ config: withLabels(part), inputs: [FILE], problems: [], faults: [], leniencies: [], notes: [] });
  });
});

it("what is wrong with it is told by line", () => {
  expect(read("CLUSTER_NAME=a b\n\nAPI_SERVER_URL=x\nif true; then\n").problems.map(showProblem)).toEqual([
    `${FILE}, line 1: Cannot use "a b": expected at most 100 letters, digits, "-" and "_", of which the first is a letter or digit.`,
    `${FILE}, line 3: Cannot use "x": expected https://, a host and nothing after it, such as "https://0123456789ABCDEF.gr7.eu-west-1.eks.amazonaws.com".`,
    `${FILE}, line 4: Cannot read this line: expected NAME=value.`,
  ]);
});
