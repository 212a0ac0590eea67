import { readFileSync } from "node:fs";

/** What the simulated cloud says: one instance, its network, its cluster. Vary it with a spread: `{ ...WORLD, localIpv4: undefined }`. */
export type World = {
  readonly instanceId: string;
  readonly instanceType: string;
  readonly region: string;
  readonly zone: string;
  readonly accountId: string;
  readonly partition: string;
  readonly dnsSuffix: string;
  readonly mac: string;
  /** Undefined on an IPv6-only instance. */
  readonly localIpv4: string | undefined;
  readonly ipv6s: readonly string[];
  readonly vpcIpv4Cidrs: readonly string[];
  readonly lifeCycle: string | undefined;
  /** Undefined: no user data, a 404. */
  readonly userData: string | Buffer | undefined;
  /** Role of the instance profile; undefined: no instance profile. */
  readonly role: string | undefined;
  readonly credentials: WorldCredentials;
  /** By how much the clock of EKS and EC2 is ahead of the agent's. */
  readonly clockAheadMs: number;
  /** What EC2 answers; "" while the instance is not running yet. */
  readonly privateDnsName: string;
  /** What IMDS has as local-hostname: EC2's name unless given. */
  readonly localHostname?: string;
  /** Clusters of the account, as EKS's JSON has them. */
  readonly clusters: readonly WorldCluster[];
  readonly instanceTypes: readonly WorldInstanceType[];
};

export type WorldCredentials = {
  readonly accessKeyId: string;
  readonly secretAccessKey: string;
  readonly token: string;
  /** RFC 3339. */
  readonly expiration: string;
};

/** The part of EKS's Cluster that a node reads; null and absent both occur. */
export type WorldCluster = {
  readonly name: string;
  readonly version: string;
  readonly status: string;
  readonly endpoint?: string | null;
  readonly certificateAuthority?: { readonly data?: string | null } | null;
  readonly kubernetesNetworkConfig?: {
    readonly ipFamily?: string | null;
    readonly serviceIpv4Cidr?: string | null;
    readonly serviceIpv6Cidr?: string | null;
  } | null;
  readonly id?: string | null;
  readonly outpostConfig?: { readonly outpostArns: readonly string[] } | null;
};

export type WorldInstanceType = {
  readonly name: string;
  readonly ipv4PerEni: number;
  readonly vcpus: number;
  /** Undefined on bare metal. */
  readonly hypervisor: "nitro" | "xen" | undefined;
  readonly defaultCard: number;
  /** Network card index to its interfaces, in the order in which EC2 lists them. */
  readonly cards: readonly { readonly index: number; readonly enis: number }[];
};

/** PEM of the demo cluster's CA: a real self-signed certificate. */
export const CLUSTER_CA_PEM = readFileSync(new URL("tls/cluster-ca.crt", import.meta.url), "utf8");

export const CLUSTER: WorldCluster = {
  name: "demo",
  version: "1.33",
  status: "ACTIVE",
  endpoint: "https://0123456789ABCDEF0123456789ABCDEF.gr7.us-west-2.eks.amazonaws.com",
  certificateAuthority: { data: Buffer.from(CLUSTER_CA_PEM).toString("base64") },
  kubernetesNetworkConfig: { ipFamily: "ipv4", serviceIpv4Cidr: "172.20.0.0/16" },
};

export const IPV6_CLUSTER: WorldCluster = {
  ...CLUSTER,
  kubernetesNetworkConfig: { ipFamily: "ipv6", serviceIpv6Cidr: "fd30:1c53:5f8a::/108" },
};

/** A local cluster on an Outpost. */
export const OUTPOST_CLUSTER: WorldCluster = {
  ...CLUSTER,
  id: "5b6f0f6e-9d0a-4a1c-8d3f-2f7f2b1b7a11",
  outpostConfig: { outpostArns: ["arn:aws:outposts:us-west-2:111122223333:outpost/op-0123456789abcdef0"] },
};

/** As a managed node group has it: a NodeConfig for the cluster "demo" in a MIME multi-part, beside a script for cloud-init. */
export const USER_DATA = `MIME-Version: 1.0
Content-Type: multipart/mixed; boundary="//"

--//
Content-Type: text/x-shellscript; charset="us-ascii"

#!/bin/bash
echo "before the agent"

--//
Content-Type: application/node.eks.aws

---
apiVersion: node.eks.aws/v1alpha1
kind: NodeConfig
spec:
  cluster:
    apiServerEndpoint: ${String(CLUSTER.endpoint)}
    certificateAuthority: ${Buffer.from(CLUSTER_CA_PEM).toString("base64")}
    cidr: 172.20.0.0/16
    name: demo
  kubelet:
    config:
      maxPods: 29
      clusterDNS:
        - 172.20.0.10
    flags:
      - "--node-labels=eks.amazonaws.com/capacityType=ON_DEMAND,eks.amazonaws.com/nodegroup=demo"

--//--
`;

/** An m5.large in us-west-2a, and the ACTIVE cluster "demo". */
export const WORLD: World = {
  instanceId: "i-0123456789abcdef0",
  instanceType: "m5.large",
  region: "us-west-2",
  zone: "us-west-2a",
  accountId: "111122223333",
  partition: "aws",
  dnsSuffix: "amazonaws.com",
  mac: "02:01:23:45:67:89",
  localIpv4: "10.0.1.23",
  ipv6s: [],
  vpcIpv4Cidrs: ["10.0.0.0/16"],
  lifeCycle: "on-demand",
  userData: undefined,
  role: "demo-node-role",
  credentials: {
    accessKeyId: "ASIASIMULATED0000001",
    secretAccessKey: "simulated/secret/access/key/of/the/demo",
    token: "simulated-session-token",
    expiration: "2099-01-01T00:00:00Z",
  },
  clockAheadMs: 0,
  privateDnsName: "ip-10-0-1-23.us-west-2.compute.internal",
  clusters: [CLUSTER],
  instanceTypes: [
    { name: "m5.large", ipv4PerEni: 10, vcpus: 2, hypervisor: "nitro", defaultCard: 0, cards: [{ index: 0, enis: 3 }] },
    // In no table of the agent: what is in none is asked of EC2. The default card is not the first of the list.
    { name: "z9.twocards", ipv4PerEni: 30, vcpus: 64, hypervisor: "nitro", defaultCard: 1, cards: [{ index: 0, enis: 4 }, { index: 1, enis: 8 }] },
  ],
};

/** `world` with the cluster of this name changed; null in `changes` is EKS's null. */
export function withCluster(world: World, name: string, changes: Partial<WorldCluster>): World {
  return { ...world, clusters: world.clusters.map((cluster) => (cluster.name === name ? { ...cluster, ...changes } : cluster)) };
}

/** `world` moved to China, where the DNS suffix is another one. */
export function inChina(world: World): World {
  return {
    ...world,
    region: "cn-north-1",
    zone: "cn-north-1a",
    partition: "aws-cn",
    dnsSuffix: "amazonaws.com.cn",
    privateDnsName: "ip-10-0-1-23.cn-north-1.compute.internal",
  };
}
