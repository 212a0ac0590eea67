import { AgentError } from "../errors.ts";
import type { Environment } from "../io/tls-trust.ts";
import type { EndpointVariant } from "./settings.ts";

/**
 * The URL that the environment names for a service (AWS_ENDPOINT_URL_EKS, else AWS_ENDPOINT_URL), no slash at the end.
 *
 * @throws AgentError "config-invalid" when it is no URL
 */
export function namedEndpoint(service: "EKS" | "EC2", environment: Environment): string | undefined {
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

function isTrue(value: string | undefined): boolean {
  return value?.toLowerCase() === "true";
}
