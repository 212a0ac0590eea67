import type { ClusterConfig, KubeletConfig, NodeConfig } from "../../src/config/node-config.ts";
import { EMPTY_NODE_CONFIG } from "../../src/config/node-config.ts";
import type { JsonObject } from "../../src/lib/json.ts";
import { PATHS } from "../../src/lib/paths.ts";
import { type Sourced, sourced } from "../../src/lib/sourced.ts";
import type { ClusterFacts, Facts, HostFacts, InstanceFacts } from "../../src/resolve/facts.ts";
import { KERNEL_DEFAULTS } from "../../src/resolve/facts.ts";
import type { KubeletVersion } from "../../src/resolve/kubelet-version.ts";
import { type Note, noteList } from "../../src/resolve/notes.ts";
import { parseUserArguments, type UserArguments } from "../../src/resolve/user-arguments.ts";

export const INSTANCE: InstanceFacts = {
  id: "i-0123456789abcdef0",
  type: "m5.large",
  region: "us-east-1",
  zone: "us-east-1a",
  accountId: "111122223333",
  dnsSuffix: "amazonaws.com",
  mac: "02:aa:bb:cc:dd:ee",
  localIpv4: "192.168.10.20",
};

export const HOST: HostFacts = {
  cpus: 2,
  memoryMiB: 7834,
  architecture: "x86_64",
  cgroupVersion: 2,
  swapOn: false,
  fips: false,
  nvidiaDevice: false,
  bpfMounted: true,
  sysctls: KERNEL_DEFAULTS,
  programs: {
    iptables: "/sbin/iptables",
    "aws-iam-authenticator": "/usr/bin/aws-iam-authenticator",
    aws: "/usr/bin/aws",
    "ecr-credential-provider": PATHS.credentialProvider,
    containerd: "/usr/bin/containerd",
  },
  files: {},
  present: [],
  enabledUnits: [],
};

export const CLUSTER: ClusterFacts = {
  name: "demo",
  endpoint: "https://ABC.gr7.us-east-1.eks.amazonaws.com",
  certificateAuthority: "LS0t",
  ipFamily: "ipv4",
  serviceIpv4Cidr: "10.96.0.0/16",
};

/** All that an IPv4 node of kubelet 1.33 is resolved from, when endpoint and CA are given. */
export const FACTS: Facts = {
  instance: INSTANCE,
  host: HOST,
  privateDnsName: "ip-192-168-10-20.ec2.internal",
  vpcIpv4Cidrs: ["192.168.0.0/16"],
  kubeletVersion: { value: { version: "1.33.5", source: "kubelet --version" } },
  containerdVersion: { value: { version: "2.1.4", source: "containerd --version" } },
};

export function facts(changes: Facts = {}): Facts {
  return { ...FACTS, ...changes };
}

export function host(changes: Partial<HostFacts> = {}): HostFacts {
  return { ...HOST, ...changes };
}

export function withoutProgram(name: string): HostFacts {
  return host({ programs: Object.fromEntries(Object.entries(HOST.programs).filter(([program]) => program !== name)) });
}

/** Endpoint and CA as an operator gives them, so that DescribeCluster is not needed. */
export const GIVEN: ClusterConfig = {
  name: sourced("demo", "argument"),
  apiServerEndpoint: sourced("https://given.example", "option --apiserver-endpoint"),
  certificateAuthority: sourced("-----BEGIN CERTIFICATE-----\n", "option --b64-cluster-ca"),
};

/** Only the cluster's name is given. */
export const NAMED: ClusterConfig = { name: sourced("demo", "argument") };

export function nodeConfig(changes: { cluster?: ClusterConfig; kubelet?: Partial<KubeletConfig> } & Omit<Partial<NodeConfig>, "cluster" | "kubelet"> = {}): NodeConfig {
  const { cluster = GIVEN, kubelet = {}, ...rest } = changes;
  return { ...EMPTY_NODE_CONFIG, ...rest, cluster, kubelet: { ...EMPTY_NODE_CONFIG.kubelet, ...kubelet } };
}

export function version(minor: number): KubeletVersion {
  return { minor, text: `1.${minor}.1` };
}

export const EXTRA_ARGS = "option --kubelet-extra-args";

/** Words as they are after splitting. */
export function userArguments(...words: readonly string[]): UserArguments {
  return parseUserArguments([sourced(words, EXTRA_ARGS)]);
}

export function kubeletFlags(...words: readonly string[]): Partial<KubeletConfig> {
  return { flags: [sourced(words, EXTRA_ARGS)] };
}

export const CONFIG_FILE = "option --kubelet-config-file";

export function kubeletConfig(value: JsonObject): Partial<KubeletConfig> {
  return { config: [sourced(value, CONFIG_FILE)] };
}

/** Runs with a list for notes, and gives both. */
export function noted<T>(run: (add: (code: string, message: string) => void) => T): { readonly result: T; readonly notes: readonly Note[] } {
  const { notes, add } = noteList();
  return { result: run(add), notes };
}

export function codes(notes: readonly Note[]): readonly string[] {
  return notes.map(({ code }) => code);
}

export function option<T>(value: T, name: string): Sourced<T> {
  return sourced(value, `option --${name}`);
}
