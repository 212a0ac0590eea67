import type { JsonObject } from "../lib/json.ts";
import type { Sourced } from "../lib/sourced.ts";

/**
 * What the operator asked for, whichever way it was asked: bootstrap.sh's flags, environment variables, NodeConfig
 * documents, eksctl's files. Every value carries its source. Absent means "not asked": defaults are resolve's.
 *
 * Lists grow from left to right in the order of precedence: the last layer wins.
 */
export type NodeConfig = {
  readonly cluster: ClusterConfig;
  readonly kubelet: KubeletConfig;
  readonly containerd: ContainerdConfig;
  readonly instance: InstanceConfig;
  readonly image: SandboxImageConfig;
  readonly docker: DockerConfig;
  readonly features: FeatureConfig;
};

export type IpFamily = "ipv4" | "ipv6";

export type ClusterConfig = {
  readonly name?: Sourced<string>;
  readonly apiServerEndpoint?: Sourced<string>;
  /** PEM text, decoded byte for byte from what was given. */
  readonly certificateAuthority?: Sourced<string>;
  /** At most one block of each family; a later layer that names either replaces both. */
  readonly serviceCidrs?: readonly Sourced<string>[];
  readonly ipFamily?: Sourced<IpFamily>;
  readonly dnsAddresses?: Sourced<readonly string[]>;
  /** A local cluster on Outposts. False overrides what DescribeCluster says. */
  readonly outpost?: Sourced<boolean>;
  readonly id?: Sourced<string>;
};

/** One text of kubelet flags, already split into words. */
export type FlagWords = Sourced<readonly string[]>;

export type KubeletConfig = {
  /** KubeletConfiguration fragments; null in one removes the key. */
  readonly config: readonly Sourced<JsonObject>[];
  readonly flags: readonly FlagWords[];
  /** CEL over default_enis, ips_per_eni and max_pods. */
  readonly maxPodsExpression?: Sourced<string>;
  readonly useMaxPods?: Sourced<boolean>;
  readonly nodeName?: Sourced<"private-dns" | "instance-id">;
  /** Who is asked for the private DNS name. */
  readonly nodeNameSource?: Sourced<"ec2" | "imds-if-canonical">;
  readonly reserveFor?: Sourced<"peers" | "effective">;
  readonly authenticator?: Sourced<"auto" | "aws-iam-authenticator" | "aws" | "agent">;
  /** Absolute path of the image credential provider's program. */
  readonly credentialProvider?: Sourced<string>;
  /** Whether the node has the labels by which eksctl knows its instances. */
  readonly eksctlLabels?: Sourced<boolean>;
};

export type ContainerdConfig = {
  /** TOML fragments as data, merged over the agent's. */
  readonly config: readonly Sourced<JsonObject>[];
  readonly baseRuntimeSpec: readonly Sourced<JsonObject>[];
  /** TOML text used instead of the agent's own, with SANDBOX_IMAGE to be replaced. */
  readonly configFile?: Sourced<string>;
};

export type InstanceConfig = {
  readonly localDisks?: Sourced<"none" | "mount" | "raid0" | "raid10">;
  readonly localDisksMountPath?: Sourced<string>;
  readonly disabledMounts?: Sourced<readonly string[]>;
  /** "default", or a service's name without ".service", to its variables. */
  readonly environment: Readonly<Record<string, Readonly<Record<string, Sourced<string>>>>>;
  readonly nameservers?: Sourced<readonly string[]>;
  readonly domains?: Sourced<readonly string[]>;
  readonly mountBpfFs?: Sourced<boolean>;
};

export type SandboxImageConfig = {
  readonly reference?: Sourced<string>;
  readonly account?: Sourced<string>;
  readonly version?: Sourced<string>;
};

export type DockerConfig = {
  readonly runtime?: Sourced<"containerd" | "dockerd">;
  readonly configJson?: Sourced<string>;
  readonly enableBridge?: Sourced<boolean>;
};

export type FeatureConfig = {
  readonly fastImagePull?: Sourced<boolean>;
};

/** Nothing asked for. */
export const EMPTY_NODE_CONFIG: NodeConfig = {
  cluster: {},
  kubelet: { config: [], flags: [] },
  containerd: { config: [], baseRuntimeSpec: [] },
  instance: { environment: {} },
  image: {},
  docker: {},
  features: {},
};
