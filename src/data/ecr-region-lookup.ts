import { API_ENDPOINTS, CREDENTIAL_PROVIDER_IMAGES, ECR_ACCOUNTS, ECR_FALLBACKS, PARTITIONS } from "./ecr-regions.ts";

export type EcrRegistry = {
  readonly account: string;
  /** The region of the registry's host name: another one than asked for if `isFallback`. */
  readonly region: string;
  /** The table does not know the region, and a registry elsewhere is used. */
  readonly isFallback: boolean;
};

/** The registry from which nodes in `region` pull EKS's images. The DNS suffix is not part of it: it is what IMDS says. */
export function ecrRegistry(region: string): EcrRegistry {
  const accounts: Readonly<Record<string, string>> = ECR_ACCOUNTS;
  const account = Object.hasOwn(accounts, region) ? accounts[region] : undefined;
  if (account !== undefined) return { account, region, isFallback: false };
  const fallback = ECR_FALLBACKS.find(({ match }) => matches(region, match));
  if (fallback === undefined) throw new Error("the table of fall-backs must end with one for every region");
  return { account: fallback.account, region: fallback.region, isFallback: true };
}

/** A pattern is a name, or the beginning of one followed by an asterisk. */
function matches(region: string, pattern: string): boolean {
  return pattern.endsWith("*") ? region.startsWith(pattern.slice(0, -1)) : region === pattern;
}

export type Partition = {
  readonly id: string;
  readonly dnsSuffix: string;
  readonly dualStackDnsSuffix: string;
  /** DNS suffix of registries reachable over IPv6; undefined where there are none. */
  readonly ecrDualStackRegistrySuffix: string | undefined;
};

/** The partition of a region by its name; undefined if the name fits none. */
export function partitionOf(region: string): Partition | undefined {
  return PARTITIONS.find(({ regionRegex }) => new RegExp(regionRegex).test(region));
}

export type EndpointVariant = "plain" | "dualStack" | "fips" | "fipsDualStack";

/** Host name of an AWS API in a region; undefined if the region's name fits no partition. */
export function apiHost(service: keyof typeof API_ENDPOINTS, region: string, variant: EndpointVariant): string | undefined {
  const partition = partitionOf(region);
  if (partition === undefined) return undefined;
  return pattern(service, partition.id, variant)
    .replace("{region}", region)
    .replace("{dnsSuffix}", partition.dnsSuffix)
    .replace("{dualStackDnsSuffix}", partition.dualStackDnsSuffix);
}

function pattern(service: keyof typeof API_ENDPOINTS, partition: string, variant: EndpointVariant): string {
  const endpoint = API_ENDPOINTS[service];
  if (variant !== "fips") return endpoint[variant];
  const byPartition: Readonly<Record<string, string>> = endpoint.fips;
  return byPartition[partition] ?? endpoint.fips.other;
}

/** Patterns of the images for which kubelet 1.`kubeletMinor` asks ECR's credential provider, in the order written. */
export function credentialProviderImages(kubeletMinor: number): readonly string[] {
  return CREDENTIAL_PROVIDER_IMAGES.filter(({ since }) => kubeletMinor >= since).map(({ pattern }) => pattern);
}
