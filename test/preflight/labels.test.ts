import { expect, test } from "vitest";
import { checkLabels } from "../../src/preflight/labels.ts";
import { labelsOf } from "../../src/preflight/node-registration.ts";

test.each([
  "app",
  "example.com/team",
  "kubernetes.io",
  "notkubernetes.io/x",
  "kubernetes.io.example.com/x",
  "kubernetes.io/hostname",
  "kubernetes.io/os",
  "kubernetes.io/arch",
  "beta.kubernetes.io/os",
  "beta.kubernetes.io/arch",
  "beta.kubernetes.io/instance-type",
  "node.kubernetes.io/instance-type",
  "topology.kubernetes.io/zone",
  "topology.kubernetes.io/region",
  "failure-domain.beta.kubernetes.io/zone",
  "failure-domain.beta.kubernetes.io/region",
  "node.kubernetes.io/anything",
  "kubelet.kubernetes.io/anything",
  "team.node.kubernetes.io/anything",
  "team.kubelet.kubernetes.io/anything",
  "eks.amazonaws.com/nodegroup",
  "karpenter.sh/capacity-type",
  "topology.ebs.csi.aws.com/zone",
])("a node may give itself the label %s", (key) => {
  expect(checkLabels(33, [{ key, value: "a", source: "user" }])).toEqual([]);
});

test.each([
  "kubernetes.io/role",
  "node-role.kubernetes.io/worker",
  "node-restriction.kubernetes.io/secure",
  "beta.kubernetes.io/zone",
  "topology.kubernetes.io/rack",
  "mynode.kubernetes.io/x",
  "k8s.io/x",
  "team.k8s.io/x",
  "topology.k8s.io/zone",
])("kubelet refuses the label %s in every version", (key) => {
  const finding = {
    severity: "error",
    code: "label-reserved",
    message: `A node must not give itself the label "${key}": kubelet accepts few names in kubernetes.io and k8s.io, and ends on others`,
    source: "user",
    remedy: `Remove it, use another prefix or one of node.kubernetes.io/, or set it from the cluster: kubectl label node NODE ${key}=…`,
  };
  expect([21, 36].map((minor) => checkLabels(minor, [{ key, value: "", source: "user" }]))).toEqual([[finding], [finding]]);
});

const KEY = 'expected a name of up to 63 letters, digits, "-", "_" and ".", after a DNS name and "/" if it has a prefix';
const VALUE = 'expected up to 63 letters, digits, "-", "_" and ".", with a letter or digit at both ends';
const LONG = "a".repeat(64);

test.each([
  ["an empty key", "", "a", `Cannot use "" as a label's key: ${KEY}`],
  ["a key with a space", "my app", "a", `Cannot use "my app" as a label's key: ${KEY}`],
  ["a key with a dash at its end", "app-", "a", `Cannot use "app-" as a label's key: ${KEY}`],
  ["a key that is too long", LONG, "a", `Cannot use "${LONG}" as a label's key: ${KEY}`],
  ["a prefix in capitals", "Example.com/app", "a", `Cannot use "Example.com/app" as a label's key: ${KEY}`],
  ["an empty prefix", "/app", "a", `Cannot use "/app" as a label's key: ${KEY}`],
  ["an empty name", "example.com/", "a", `Cannot use "example.com/" as a label's key: ${KEY}`],
  ["two slashes", "example.com/a/b", "a", `Cannot use "example.com/a/b" as a label's key: ${KEY}`],
  ["a value with a slash", "app", "a/b", `Cannot use "a/b" as the value of label "app": ${VALUE}`],
  ["a value with an equals sign", "app", "=b", `Cannot use "=b" as the value of label "app": ${VALUE}`],
  ["a value that is too long", "app", LONG, `Cannot use "${LONG}" as the value of label "app": ${VALUE}`],
  ["a template that was not filled in", "app", "${CLUSTER}", `Cannot use "\${CLUSTER}" as the value of label "app": ${VALUE}`],
])("%s is an error from 1.25 on, and a note before", (_, key, value, message) => {
  expect([24, 25].map((minor) => checkLabels(minor, [{ key, value, source: "user" }]))).toEqual([
    [{ severity: "note", code: "label-syntax", message, source: "user", remedy: "Correct the label: the API server refuses a node that has it." }],
    [{ severity: "error", code: "label-syntax", message, source: "user", remedy: "Correct the label." }],
  ]);
});

test("labels are read from all --node-labels, with empty values and values that hold an equals sign", () => {
  const flags = [
    { name: "node-labels", value: "a=b,c,,d==e", source: "one", owner: "agent" as const },
    { name: "max-pods", value: "1", source: "two", owner: "user" as const },
    { name: "node_labels", value: "f=", source: "three", owner: "user" as const },
  ];
  expect(labelsOf(flags)).toEqual([
    { key: "a", value: "b", source: "one" },
    { key: "c", value: "", source: "one" },
    { key: "d", value: "=e", source: "one" },
    { key: "f", value: "", source: "three" },
  ]);
});
