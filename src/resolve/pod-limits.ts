import { maxPodsOf } from "../data/instance-type-lookup.ts";

/** What max-pods-calculator.sh reckons with. */
export type PodLimits = {
  /** Network interfaces on the default network card. */
  readonly enis: number;
  readonly ipv4PerEni: number;
  /** Undefined where the table does not know. */
  readonly vcpus: number | undefined;
  /** Not so on bare metal, though its cards are: the script asks for the hypervisor. Undefined where the table does not know. */
  readonly isNitro: boolean | undefined;
};

/** The same, all of it known. */
export type KnownPodLimits = { readonly [Name in keyof PodLimits]: NonNullable<PodLimits[Name]> };

export type CniSettings = {
  readonly version: CniVersion;
  /** Pods are on other subnets than the node, so that the first interface has none. */
  readonly customNetworking: boolean;
  readonly prefixDelegation: boolean;
  /** Most interfaces that the CNI may use; as many as there are unless given. */
  readonly maxEnis: number | undefined;
};

export type CniVersion = { readonly major: number; readonly minor: number };

/** Addresses of a prefix, a /28. */
const PER_PREFIX = 16;

/** From this version of the VPC CNI on there is prefix delegation. */
const PREFIX_DELEGATION_SINCE: CniVersion = { major: 1, minor: 9 };

/** Most pods with few processors, and with many. */
const CEILINGS = { upToVcpus: 30, few: 110, many: 250 };

/**
 * Pods that an instance type has addresses for, and two on the host network: as max-pods-calculator.sh reckons.
 *
 * @param hasCeiling whether to stop at what its processors can be expected to run
 */
export function podsFor(limits: KnownPodLimits, cni: CniSettings, hasCeiling: boolean): number {
  const pods = addressablePods(limits, cni);
  return hasCeiling ? Math.min(pods, ceilingOf(limits)) : pods;
}

/** The same for what is not known in full; undefined when that leaves more than one answer. */
export function decidedPods(limits: PodLimits, cni: CniSettings, hasCeiling: boolean): number | undefined {
  const [first, ...others] = possible(limits).map((known) => podsFor(known, cni, hasCeiling));
  return others.every((other) => other === first) ? first : undefined;
}

/** What the type may be: one for each that the unknown may turn out to be. */
function possible({ enis, ipv4PerEni, vcpus, isNitro }: PodLimits): readonly KnownPodLimits[] {
  const processors = vcpus === undefined ? [CEILINGS.upToVcpus, CEILINGS.upToVcpus + 1] : [vcpus];
  const hypervisors = isNitro === undefined ? [true, false] : [isNitro];
  return processors.flatMap((count) => hypervisors.map((nitro) => ({ enis, ipv4PerEni, vcpus: count, isNitro: nitro })));
}

function ceilingOf({ vcpus }: KnownPodLimits): number {
  return vcpus > CEILINGS.upToVcpus ? CEILINGS.many : CEILINGS.few;
}

function addressablePods({ enis, ipv4PerEni, isNitro }: KnownPodLimits, cni: CniSettings): number {
  const usable = Math.min(enis, cni.maxEnis ?? enis) - (cni.customNetworking ? 1 : 0);
  const hasPrefixes = isNitro && cni.prefixDelegation && isAtLeast(cni.version, PREFIX_DELEGATION_SINCE);
  return hasPrefixes ? usable * (ipv4PerEni - 1) * PER_PREFIX + 2 : maxPodsOf(usable, ipv4PerEni);
}

function isAtLeast({ major, minor }: CniVersion, least: CniVersion): boolean {
  return major > least.major || (major === least.major && minor >= least.minor);
}

/** The first two numbers of "1.18.3" or "v1.18.3-eksbuild.1"; undefined for anything else. */
export function parseCniVersion(text: string): CniVersion | undefined {
  const [, major, minor] = /^v?(\d{1,4})\.(\d{1,4})(?!\d)/.exec(text) ?? [];
  return major === undefined || minor === undefined ? undefined : { major: Number(major), minor: Number(minor) };
}
