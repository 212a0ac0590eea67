import { PATHS } from "../lib/paths.ts";

/**
 * What is known of the world: plain JSON, so that `eks-node-agent facts > f.json` and `--facts f.json` are inverse.
 * A missing part was not asked for.
 */
export type Facts = {
  readonly instance?: InstanceFacts;
  /** How the instance is paid for, as IMDS says: "on-demand", "spot". Asked only on nodes that eksctl made. */
  readonly lifeCycle?: Answer<string>;
  /** All IPv4 blocks of the VPC of the primary interface. */
  readonly vpcIpv4Cidrs?: readonly string[];
  /** First IPv6 address of the primary interface, RFC 5952 form. */
  readonly ipv6Address?: Answer<string>;
  readonly cluster?: Answer<ClusterFacts>;
  /** EC2's PrivateDnsName, lower case. */
  readonly privateDnsName?: string;
  /** IMDS's local-hostname, lower case. Asked only where it may become the node's name. */
  readonly localHostname?: Answer<string>;
  readonly instanceType?: Answer<InstanceTypeFacts>;
  /** Addresses by host name; only of the API server of a local cluster on Outposts. */
  readonly addresses?: Readonly<Record<string, readonly string[]>>;
  /** Host names and whether they resolve. */
  readonly resolves?: Readonly<Record<string, boolean>>;
  readonly kubeletVersion?: Answer<ProgramVersion>;
  readonly containerdVersion?: Answer<ProgramVersion>;
  readonly host?: HostFacts;
  /** Devices of the disks of the instance store, such as "/dev/nvme1n1". Asked only where something is to become of them. */
  readonly localDisks?: readonly string[];
};

/** The answer to a question whose failure the core can live with, or must explain in its own words. */
export type Answer<T> = { readonly value: T } | { readonly failure: string };

/** From IMDS. */
export type InstanceFacts = {
  readonly id: string;
  readonly type: string;
  readonly region: string;
  readonly zone: string;
  readonly accountId: string;
  /** services/domain: the DNS suffix of the partition, such as "amazonaws.com.cn". */
  readonly dnsSuffix: string;
  /** MAC address of the primary interface. */
  readonly mac: string;
  /** Primary private IPv4 address; absent on an IPv6-only instance. */
  readonly localIpv4?: string;
};

/** From EKS DescribeCluster. Only a cluster with endpoint and CA is an answer. */
export type ClusterFacts = {
  readonly name: string;
  readonly endpoint: string;
  /** base64 of PEM. */
  readonly certificateAuthority: string;
  readonly ipFamily: "ipv4" | "ipv6";
  readonly serviceIpv4Cidr?: string;
  readonly serviceIpv6Cidr?: string;
  /** Only of local clusters on Outposts. */
  readonly id?: string;
  readonly outpostArn?: string;
};

/** From EC2 DescribeInstanceTypes. */
export type InstanceTypeFacts = {
  /** Network interfaces on the default network card. */
  readonly enis: number;
  readonly ipv4PerEni: number;
};

export type ProgramVersion = {
  /** "1.33.5", no "v". */
  readonly version: string;
  /** The file or command that said so. */
  readonly source: string;
};

export type HostFacts = {
  /** CPUs this process may run on, as nproc counts. */
  readonly cpus: number;
  readonly memoryMiB: number;
  readonly architecture: "x86_64" | "aarch64";
  readonly cgroupVersion: 1 | 2;
  readonly swapOn: boolean;
  readonly fips: boolean;
  /** A PCI device of vendor 0x10de. */
  readonly nvidiaDevice: boolean;
  readonly bpfMounted: boolean;
  /** Kernel settings by dotted name; one that the kernel lacks is missing. */
  readonly sysctls: Readonly<Record<string, number>>;
  /** Name to absolute path of the programs of PROGRAMS that exist and are executable. */
  readonly programs: Readonly<Record<string, string>>;
  /** Path to text of the files of IMAGE_FILES that exist. */
  readonly files: Readonly<Record<string, string>>;
  /** Paths of PRESENCE that exist. */
  readonly present: readonly string[];
  /** Enabled units of other bootstrappers. */
  readonly enabledUnits: readonly string[];
};

/** Programs looked for, each at the first of its paths that is executable. */
export const PROGRAMS: Readonly<Record<string, readonly string[]>> = {
  iptables: ["/sbin/iptables", "/usr/sbin/iptables"],
  "aws-iam-authenticator": ["/usr/bin/aws-iam-authenticator", "/usr/local/bin/aws-iam-authenticator", "/etc/eks/aws-iam-authenticator"],
  aws: ["/usr/bin/aws", "/usr/local/bin/aws", "/bin/aws"],
  "ecr-credential-provider": [PATHS.credentialProvider],
  "nvidia-container-runtime": ["/usr/bin/nvidia-container-runtime"],
  containerd: ["/usr/bin/containerd", "/usr/local/bin/containerd"],
};

/**
 * Files of the image whose text decides what is rendered. Of kubelet's configuration it is the text that was there before
 * the agent's first run, since the agent then writes to the same path.
 */
export const IMAGE_FILES = [
  PATHS.eniMaxPods,
  PATHS.imageContainerdConfig,
  PATHS.kubeletConfig,
  PATHS.dockerConfig,
  "/usr/lib/systemd/system/containerd.service",
  "/lib/systemd/system/containerd.service",
  "/etc/systemd/system/containerd.service",
] as const;

/** Where the image may have the units that some nodes need. */
export const SOCI_UNITS = unitPaths("soci-snapshotter.service");
export const RESOLVED_UNITS = unitPaths("systemd-resolved.service");

/** Files of the image of which only the presence counts. */
export const PRESENCE: readonly string[] = [PATHS.pauseArchive, PATHS.gpuScript, ...SOCI_UNITS, ...RESOLVED_UNITS];

/** Units of other bootstrappers that would fight over kubelet with this agent. */
export const FOREIGN_BOOTSTRAPPERS = ["nodeadm-config.service", "nodeadm-run.service"] as const;

/** Kernel settings that kubelet's protectKernelDefaults demands, with the values it demands. */
export const KERNEL_DEFAULTS = {
  "vm.overcommit_memory": 1,
  "vm.panic_on_oom": 0,
  "kernel.panic": 10,
  "kernel.panic_on_oops": 1,
  "kernel.keys.root_maxkeys": 1000000,
  "kernel.keys.root_maxbytes": 25000000,
} as const;

/** One thing to be asked of the world. */
export type Question =
  | { readonly kind: "instance" }
  | { readonly kind: "life-cycle" }
  | { readonly kind: "local-hostname" }
  | { readonly kind: "vpc-ipv4-cidrs"; readonly mac: string }
  | { readonly kind: "ipv6-address"; readonly mac: string }
  | { readonly kind: "cluster"; readonly name: string; readonly region: string; readonly accountId: string; readonly patience: "until-deadline" | "one-try" }
  | { readonly kind: "private-dns-name"; readonly region: string; readonly instanceId: string }
  | { readonly kind: "instance-type"; readonly region: string; readonly type: string }
  | { readonly kind: "resolves"; readonly host: string }
  | { readonly kind: "addresses"; readonly host: string }
  | { readonly kind: "kubelet-version" }
  | { readonly kind: "containerd-version" }
  | { readonly kind: "host"; readonly credentialProvider: string | undefined }
  | { readonly kind: "local-disks" };

/** systemd's own directories for units, the strongest first. */
function unitPaths(unit: string): readonly string[] {
  return ["/etc/systemd/system", "/usr/lib/systemd/system", "/lib/systemd/system"].map((directory) => `${directory}/${unit}`);
}
