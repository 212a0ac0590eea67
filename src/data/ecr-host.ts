import type { EndpointVariant } from "./ecr-region-lookup.ts";

/** What the host name of a registry of ECR says. */
export type EcrHost = {
  readonly account: string;
  readonly region: string;
  /** The kind of endpoint that the registry's name belongs to. */
  readonly variant: EndpointVariant;
  /** "amazonaws.com", or "on.aws" of a registry that is reachable over IPv6. */
  readonly suffix: string;
};

/** Undefined for any other registry, ECR's public one too, from which everybody may pull. */
export function parseEcrHost(host: string): EcrHost | undefined {
  const [, account, service = "", region, suffix] = /^(\d{12})\.(dkr[.-]ecr(?:-fips)?)\.([a-z]+(?:-[a-z0-9]+)+)\.([a-z0-9.-]+)$/.exec(host) ?? [];
  if (account === undefined || region === undefined || suffix === undefined) return undefined;
  const [isFips, isDualStack] = [service.endsWith("-fips"), service.startsWith("dkr-")];
  const variant = isFips ? (isDualStack ? "fipsDualStack" : "fips") : isDualStack ? "dualStack" : "plain";
  return { account, region, variant, suffix };
}
