import { expect, test } from "vitest";
import { EMPTY_NODE_CONFIG } from "../../src/config/node-config.ts";
import type { JsonObject } from "../../src/lib/json.ts";
import { sourced } from "../../src/lib/sourced.ts";
import { preflight } from "../../src/preflight/preflight.ts";
import type { Finding } from "../../src/preflight/preflight.ts";
import { KERNEL_DEFAULTS } from "../../src/resolve/facts.ts";
import type { Facts, HostFacts } from "../../src/resolve/facts.ts";
import { resolveNode } from "../../src/resolve/node.ts";
import { CA } from "../certificate-authority.ts";

const HOST: HostFacts = {
  cpus: 2,
  memoryMiB: 7800,
  architecture: "x86_64",
  cgroupVersion: 2,
  swapOn: false,
  fips: false,
  nvidiaDevice: false,
  bpfMounted: true,
  sysctls: KERNEL_DEFAULTS,
  programs: { "ecr-credential-provider": "/etc/eks/image-credential-provider/ecr-credential-provider", aws: "/usr/bin/aws" },
  files: {},
  present: [],
  enabledUnits: [],
};

type Asked = { readonly config?: JsonObject; readonly flags?: readonly string[]; readonly host?: Partial<HostFacts> };

const MINORS = Array.from({ length: 16 }, (_, index) => 21 + index);

test.each(MINORS)("the agent's own flags and configuration are right for kubelet 1.%i", (minor) => {
  expect(findings(minor, {})).toEqual([]);
});

test("all that is wrong is found at once, errors first, each with its own source", () => {
  const asked: Asked = {
    config: { maxPods: "20", evictionHard: { "memory.available": "5 %" }, clusterDns: ["10.0.0.10"] },
    flags: ["--max-pods=20", "--pod-infra-container-image=x", "--node-labels=kubernetes.io/role=a", "--register-with-taints=a=b:never"],
    host: { swapOn: true, enabledUnits: ["nodeadm-run.service"] },
  };
  expect(findings(35, asked).map(({ severity, code, source }) => [severity, code, source])).toEqual([
    ["error", "flag-removed", "option --kubelet-extra-args"],
    ["error", "field-type", "user-data"],
    ["error", "eviction", "user-data"],
    ["error", "swap-on", "kubelet's default"],
    ["error", "other-bootstrapper", "this host"],
    ["error", "label-reserved", "option --kubelet-extra-args"],
    ["error", "taint", "option --kubelet-extra-args"],
    ["note", "flag-deprecated", "option --kubelet-extra-args"],
    ["note", "flag-deprecated", "option --kubelet-extra-args"],
    ["note", "field-unknown", "user-data"],
  ]);
});

test("the same mistake twice is told once", () => {
  expect(findings(35, { flags: ["--nope=1", "--nope=1"] }).map(({ code }) => code)).toEqual(["flag-unknown"]);
});

test("kernel settings that differ are no matter, since the agent writes protectKernelDefaults false", () => {
  expect(findings(33, { host: { sysctls: { "vm.overcommit_memory": 0 } } })).toEqual([]);
});

test("kernel settings that differ are refused if the operator asked for protectKernelDefaults", () => {
  expect(findings(33, { config: { protectKernelDefaults: true }, host: { sysctls: { "vm.overcommit_memory": 0 } } }).map(({ code, source }) => [code, source])).toEqual([
    ["kernel-defaults", "user-data"],
  ]);
});

test.each([
  [28, []],
  [29, ["credential-provider-missing"]],
])("without the credential provider, kubelet 1.%i gives %j", (minor, codes) => {
  expect(findings(minor, { host: { programs: {} } }).map(({ code }) => code)).toEqual(codes);
});

test("an operator's --cloud-provider is checked, though it is not among the arguments", () => {
  expect(findings(33, { flags: ["--cloud-provider=aws"] })).toEqual([
    {
      severity: "error",
      code: "flag-value",
      message: 'Cannot use "aws" as --cloud-provider: kubelet 1.33 accepts "external" only',
      source: "option --kubelet-extra-args",
      remedy: "Remove --cloud-provider: the agent gives the right one.",
    },
  ]);
});

test("the source of a path into a list or a map is that of the nearest part that has one", () => {
  const config = { registerWithTaints: [{ key: "a", value: 1, effect: "NoSchedule" }], featureGates: { NodeSwap: "yes" } };
  expect(findings(33, { config }).map(({ message, source }) => [message, source])).toEqual([
    ['Cannot use "yes" as featureGates.NodeSwap: kubelet expects true or false, without quotes', "user-data"],
    ["Cannot use 1 as registerWithTaints[0].value: kubelet expects a string, in quotes", "user-data"],
  ]);
});

function findings(minor: number, { config = {}, flags = [], host = {} }: Asked): readonly Finding[] {
  const facts: Facts = {
    instance: { id: "i-0123456789abcdef0", type: "m5.large", region: "us-west-2", zone: "us-west-2a", accountId: "123456789012", dnsSuffix: "amazonaws.com", mac: "02:00:00:00:00:01", localIpv4: "10.0.0.5" },
    vpcIpv4Cidrs: ["10.0.0.0/16"],
    privateDnsName: "ip-10-0-0-5.us-west-2.compute.internal",
    kubeletVersion: { value: { version: `1.${minor}.0`, source: "kubelet --version" } },
    containerdVersion: { value: { version: "2.0.5", source: "containerd --version" } },
    host: { ...HOST, ...host },
  };
  const asked = {
    ...EMPTY_NODE_CONFIG,
    cluster: {
      name: sourced("my-cluster", "command line"),
      apiServerEndpoint: sourced("https://example.gr7.us-west-2.eks.amazonaws.com", "command line"),
      certificateAuthority: sourced(CA, "command line"),
      serviceCidrs: [sourced("172.20.0.0/16", "command line")],
    },
    kubelet: { config: [sourced(config, "user-data")], flags: [sourced(flags, "option --kubelet-extra-args")] },
  };
  return preflight(resolveNode(asked, facts));
}
