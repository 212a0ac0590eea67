import { INSTANCE_TYPES } from "./instance-types.ts";

export type InstanceTypeLimits = {
  /** Network interfaces on the default network card. */
  readonly enis: number;
  readonly ipv4PerEni: number;
  /** Pods with one secondary address each, and two on the host network: enis × (ipv4PerEni − 1) + 2. */
  readonly maxPods: number;
  readonly vcpus: number | undefined;
  readonly memoryMiB: number | undefined;
  /** "amd64", "arm64", "i386+amd64", "arm64_mac", "x86_64_mac". */
  readonly arch: string | undefined;
  readonly hypervisor: "nitro" | "xen" | "metal" | undefined;
  /** "COUNTxSIZE" in GB such as "2x900", with "hdd" or "(not-nvme)" after it where it is so; "0" for none. */
  readonly instanceStore: string | undefined;
};

/**
 * What the built-in table knows of an instance type; undefined if it is not in there by exactly this name.
 *
 * The table is searched as text, since a run asks for one type of 1,400 and parsing them all would cost more than the rest of `resolve`.
 */
export function instanceTypeLimits(type: string): InstanceTypeLimits | undefined {
  if (!/^[a-z0-9.-]+$/.test(type)) return undefined;
  const start = INSTANCE_TYPES.indexOf(`\n${type} `);
  if (start === -1) return undefined;
  const end = INSTANCE_TYPES.indexOf("\n", start + 1);
  return parseRow(INSTANCE_TYPES.slice(start + 1, end));
}

function parseRow(row: string): InstanceTypeLimits {
  const [, enis, ipv4PerEni, vcpus, memoryMiB, arch, hypervisor, instanceStore] = row.split(" ").map(known);
  return {
    enis: Number(enis),
    ipv4PerEni: Number(ipv4PerEni),
    maxPods: maxPodsOf(Number(enis), Number(ipv4PerEni)),
    vcpus: vcpus === undefined ? undefined : Number(vcpus),
    memoryMiB: memoryMiB === undefined ? undefined : Number(memoryMiB),
    arch,
    hypervisor: parseHypervisor(hypervisor),
    instanceStore,
  };
}

/** The limit of the VPC CNI for one pod per secondary address; the two are aws-node and kube-proxy, on the host network. */
export function maxPodsOf(enis: number, ipv4PerEni: number): number {
  return enis * (ipv4PerEni - 1) + 2;
}

function parseHypervisor(cell: string | undefined): InstanceTypeLimits["hypervisor"] {
  return cell === "nitro" || cell === "xen" || cell === "metal" ? cell : undefined;
}

function known(cell: string): string | undefined {
  return cell === "-" ? undefined : cell;
}
