import type { InstanceFacts } from "./facts.ts";

/**
 * The private DNS names that EC2 gives an instance by itself: by its address, and by its id in subnets that are set so. Those by
 * address come first, and are missing where the instance has only IPv6.
 *
 * Source: EC2 User Guide, "EC2 instance hostnames and domains".
 */
export function canonicalNames({ id, region, localIpv4 }: Pick<InstanceFacts, "id" | "region" | "localIpv4">): readonly string[] {
  const byAddress = localIpv4 === undefined ? [] : [`ip-${localIpv4.replaceAll(".", "-")}`];
  return [...byAddress, id].map((host) => `${host}.${defaultDomain(region)}`);
}

/** The first region was there before regions were in names. */
function defaultDomain(region: string): string {
  return region === "us-east-1" ? "ec2.internal" : `${region}.compute.internal`;
}
