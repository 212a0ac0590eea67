import { describe, expect, it } from "vitest";
import { resolveNode } from "../../src/resolve/node.ts";
import { valueTable } from "../../src/resolve/value-table.ts";
import { CONFIG_FILE, EXTRA_ARGS, facts, kubeletConfig, kubeletFlags, nodeConfig } from "./fixture.ts";

type Rows = Readonly<Record<string, readonly [value: unknown, source: string]>>;

function rows(changes: Parameters<typeof nodeConfig>[0] = {}): Rows {
  return Object.fromEntries(valueTable(resolveNode(nodeConfig(changes), facts())).map(({ name, value, source }) => [name, [value, source]]));
}

describe("the value table", () => {
  it("shows what was decided, and who decided it", () => {
    expect(rows()).toMatchObject({
      "cluster name": ["demo", "argument"],
      "API server endpoint": ["https://given.example", "option --apiserver-endpoint"],
      "IP family": ["ipv4", "default"],
      "local cluster on Outposts": [false, "default"],
      "kubelet version": ["1.33.5", "kubelet --version"],
      "node IP": ["192.168.10.20", "IMDS local-ipv4"],
      "node name": ["ip-192-168-10-20.ec2.internal", "ec2:DescribeInstances PrivateDnsName"],
      "provider id": ["aws:///us-east-1a/i-0123456789abcdef0", "IMDS"],
      "cloud provider": ["external", "kubelet 1.33.5"],
      "max pods": [29, "built-in table (m5.large)"],
      "pods reserved for": [29, "built-in table (m5.large)"],
      "sandbox image": ["602401143452.dkr.ecr.us-east-1.amazonaws.com/eks/pause:3.5", "built-in table (us-east-1)"],
      authenticator: ["/usr/bin/aws-iam-authenticator", "found at /usr/bin/aws-iam-authenticator"],
      "containerd config version": [3, "containerd 2.1.4 (containerd --version)"],
      "default runtime": ["runc", "default"],
      "kubelet config clusterDNS": [["10.100.0.10"], "guess by the VPC's blocks"],
      "kubelet config kubeReserved.memory": ["574Mi", "2 CPUs, 29 pods"],
      "kubelet flag --node-ip": ["--node-ip=192.168.10.20", "IMDS local-ipv4"],
    });
  });

  it("shows each key of a map by itself, with a dot in it or not", () => {
    const table = rows({ kubelet: kubeletConfig({ evictionHard: { "memory.available": "5%" } }) });
    expect(table["kubelet config evictionHard.memory.available"]).toEqual(["5%", CONFIG_FILE]);
    expect(table["kubelet config evictionHard.nodefs.available"]).toEqual(["10%", "default"]);
  });

  it("shows both counts of pods when they differ", () => {
    const table = rows({ kubelet: kubeletFlags("--max-pods=20") });
    expect([table["max pods"], table["pods reserved for"]]).toEqual([[20, EXTRA_ARGS], [29, "built-in table (m5.large)"]]);
  });

  it.each<[string, readonly string[], Rows]>([
    ["a scalar", ["--max-pods=20"], { "kubelet config maxPods": ["20", `${EXTRA_ARGS}, by --max-pods`] }],
    ["a map, as a whole", ["--kube-reserved=cpu=1"], { "kubelet config kubeReserved": ["cpu=1", `${EXTRA_ARGS}, by --kube-reserved`] }],
    [
      "a feature gate, the others stay",
      ["--feature-gates=DynamicResourceAllocation=false"],
      {
        "kubelet config featureGates.RotateKubeletServerCertificate": [true, "default"],
        "kubelet config featureGates.DynamicResourceAllocation": ["false", `${EXTRA_ARGS}, by --feature-gates`],
      },
    ],
  ])("shows the flag's value of a field that a flag beats: %s", (_, words, expected) => {
    expect(rows({ kubelet: kubeletFlags(...words) })).toMatchObject(expected);
  });

  it("does not show the parts of a map that a flag replaces", () => {
    const names = Object.keys(rows({ kubelet: kubeletFlags("--kube-reserved=cpu=1") }));
    expect(names.filter((name) => name.startsWith("kubelet config kubeReserved."))).toEqual([]);
  });

  it("has each name once, apart from repeated flags", () => {
    const names = valueTable(resolveNode(nodeConfig({ kubelet: kubeletFlags("--v=3", "--v=4") }), facts())).map(({ name }) => name);
    expect(names.filter((name, index) => names.indexOf(name) !== index)).toEqual(["kubelet flag --v", "kubelet flag --v"]);
  });
});
