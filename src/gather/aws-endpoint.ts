import { AgentError } from "../errors.ts";
import type { Environment } from "../io/tls-trust.ts";
import type { OnEvent } from "./events.ts";
import type { AwsService, EndpointVariant, GatherSettings } from "./settings.ts";

/**
 * The URL that the environment names for a service (AWS_ENDPOINT_URL_EKS, else AWS_ENDPOINT_URL), no slash at the end.
 *
 * @throws AgentError "config-invalid" when it is no URL
 */
export function namedEndpoint(service: "EKS" | "EC2" | "ECR", environment: Environment): string | undefined {
  const name = environment[`AWS_ENDPOINT_URL_${service}`] ? `AWS_ENDPOINT_URL_${service}` : "AWS_ENDPOINT_URL";
  const url = environment[name];
  if (!url) return undefined;
  if (/^https?:\/\/[^/?#]/.test(url) && URL.canParse(url)) return url.replace(/\/+$/, "");
  throw new AgentError("config-invalid", `Cannot use "${url}" as ${name}: it is not an http or https URL`, { remedy: `Correct ${name}, or unset it to use AWS's own endpoint.` });
}

/** The kind of endpoint that AWS_USE_FIPS_ENDPOINT and AWS_USE_DUALSTACK_ENDPOINT ask for. */
export function endpointVariant(environment: Environment): EndpointVariant {
  const [fips, dualStack] = [isTrue(environment["AWS_USE_FIPS_ENDPOINT"]), isTrue(environment["AWS_USE_DUALSTACK_ENDPOINT"])];
  if (fips) return dualStack ? "fipsDualStack" : "fips";
  return dualStack ? "dualStack" : "plain";
}

/** What decides which of a service's endpoints is asked. */
export type EndpointContext = Pick<GatherSettings, "apiHost"> & {
  readonly environment: Environment;
  /** Whether the kernel is in FIPS mode. */
  readonly isFipsOn: () => boolean;
  readonly resolves: (host: string) => Promise<boolean>;
  readonly onEvent: OnEvent;
};

/**
 * The kind of endpoint of a service: what the environment asks for; where it says nothing of FIPS, and the kernel is in FIPS
 * mode, the FIPS one if there is such a host, else the other with a note.
 *
 * @param dnsSuffix of the partition, for regions that the table does not know
 */
export async function chooseVariant(service: AwsService, region: string, dnsSuffix: string | undefined, context: EndpointContext): Promise<EndpointVariant> {
  const asked = endpointVariant(context.environment);
  if (context.environment["AWS_USE_FIPS_ENDPOINT"] || !context.isFipsOn()) return asked;
  const fips = asked === "dualStack" ? "fipsDualStack" : "fips";
  const host = apiHostOf(service, region, fips, dnsSuffix, context);
  if (host !== undefined && (await context.resolves(host))) return fips;
  const message = `FIPS mode is on, but the endpoint ${host ?? `of ${service} in ${region}`} does not resolve, so the one without FIPS is asked. AWS_USE_FIPS_ENDPOINT=true would insist on it.`;
  context.onEvent({ kind: "note", code: "no-fips-endpoint", message });
  return asked;
}

/** Host name of a service's endpoint; undefined for a region that the table does not know, without its DNS suffix. */
export function apiHostOf(service: AwsService, region: string, variant: EndpointVariant, dnsSuffix: string | undefined, { apiHost }: Pick<GatherSettings, "apiHost">): string | undefined {
  const known = apiHost?.(service, region, variant);
  if (known !== undefined || dnsSuffix === undefined) return known;
  return `${PREFIXES[service]}${variant.startsWith("fips") ? "-fips" : ""}.${region}.${dnsSuffix}`;
}

const PREFIXES: Readonly<Record<AwsService, string>> = { eks: "eks", ec2: "ec2", ecr_api: "api.ecr" };

function isTrue(value: string | undefined): boolean {
  return value?.toLowerCase() === "true";
}
