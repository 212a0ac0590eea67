import type { RunView } from "../../src/cli/run-view.ts";
import { EMPTY_NODE_CONFIG, type NodeConfig } from "../../src/config/node-config.ts";
import { sourced } from "../../src/lib/sourced.ts";
import { compare } from "../../src/plan/compare.ts";
import { ROOT } from "../../src/plan/owner.ts";
import type { Observed, Plan } from "../../src/plan/plan.ts";
import { render } from "../../src/render/plan.ts";
import type { Facts } from "../../src/resolve/facts.ts";
import { resolveNode } from "../../src/resolve/node.ts";
import { CA } from "../certificate-authority.ts";
import { file, found, observed, plan, running, unit } from "../plan/plans.ts";

export const FACTS: Facts = {
  instance: {
    id: "i-0123456789abcdef0",
    type: "m5.large",
    region: "us-west-2",
    zone: "us-west-2b",
    accountId: "123456789012",
    dnsSuffix: "amazonaws.com",
    mac: "02:00:00:00:00:01",
    localIpv4: "10.0.3.4",
  },
  privateDnsName: "ip-10-0-3-4.us-west-2.compute.internal",
  kubeletVersion: { value: { version: "1.33.5", source: "/etc/eks/kubelet-version.txt" } },
  containerdVersion: { failure: "containerd is not installed" },
  host: {
    cpus: 2,
    memoryMiB: 7680,
    architecture: "x86_64",
    cgroupVersion: 2,
    swapOn: false,
    fips: false,
    nvidiaDevice: false,
    bpfMounted: true,
    sysctls: {},
    programs: { "ecr-credential-provider": "/etc/eks/image-credential-provider/ecr-credential-provider", aws: "/usr/bin/aws" },
    files: {},
    present: [],
    enabledUnits: [],
  },
};

export const CONFIG: NodeConfig = {
  ...EMPTY_NODE_CONFIG,
  cluster: {
    name: sourced("my-cluster", "the command line"),
    apiServerEndpoint: sourced("https://0123456789ABCDEF.gr7.us-west-2.eks.amazonaws.com", "option --apiserver-endpoint"),
    certificateAuthority: sourced(CA, "option --b64-cluster-ca"),
    serviceCidrs: [sourced("172.20.0.0/16", "option --service-ipv4-cidr")],
  },
};

export const NODE = resolveNode(CONFIG, FACTS);

export function view(planned: Plan, more: Partial<Observed> = {}, rest: Partial<RunView> = {}): RunView {
  const comparison = compare(planned, { ...observed(), ...more });
  return { inputs: [], facts: {}, node: NODE, findings: [], notes: [], comparison, units: planned.units.map(({ name }) => name), owner: ROOT, ...rest };
}

/** A node that was never configured, with every file that it would get. */
export const NEW_NODE: RunView = view(render(NODE), {}, { inputs: ["the command line"], facts: FACTS, notes: NODE.notes });

const KUBELET_UNIT = "/etc/systemd/system/kubelet.service";

/** One file in each state, and each kind of step. */
export const MIXED: RunView = view(
  plan(
    [
      file(KUBELET_UNIT, "[Service]\nExecStart=/usr/bin/kubelet\n"),
      file("/etc/eks/a.conf", "one\nTWO\nthree\n"),
      file("/etc/eks/kept.conf", "kept\n"),
      file("/etc/eks/private.conf", "mine\n"),
      file("/etc/eks/secret.conf", "hunter2\n", { mode: 0o600, isSecret: true }),
      file("/etc/eks/link.conf", "linked\n"),
    ],
    [unit("containerd.service"), unit("sandbox-image.service"), unit("kubelet.service", [KUBELET_UNIT])],
  ),
  observed(
    {
      "/etc/eks/a.conf": found("one\ntwo\nthree\n", { mode: 0o600 }),
      "/etc/eks/kept.conf": found("kept\n"),
      "/etc/eks/private.conf": { kind: "unreadable" },
      "/etc/eks/link.conf": { kind: "symlink", target: "/usr/share/link.conf" },
      "/etc/eks/old.conf": found("old\n"),
    },
    [running("containerd.service"), running("sandbox-image.service", { activeState: "failed", subState: "failed" })],
    { files: { "/etc/eks/a.conf": "sha256:other", "/etc/eks/old.conf": "sha256:old" } },
  ),
  {
    inputs: ["user data, part 2", "the command line"],
    facts: { vpcIpv4Cidrs: ["10.0.0.0/16", "100.64.0.0/16"] },
    notes: [{ code: "dns-guessed", message: "The cluster DNS address 172.20.0.10 is a guess, since the VPC's block 10.0.0.0/16 lies in 10.0.0.0/8. Give --service-ipv4-cidr to be certain." }],
    findings: [
      {
        severity: "note",
        code: "flag-deprecated",
        message: 'The flag "--register-node" is deprecated in kubelet 1.33',
        source: "option --kubelet-extra-args",
        remedy: "Set registerNode in the kubelet configuration instead.",
      },
    ],
  },
);
