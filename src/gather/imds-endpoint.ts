import type { Environment } from "../io/tls-trust.ts";

const IPV4_ENDPOINT = "http://169.254.169.254";
const IPV6_ENDPOINT = "http://[fd00:ec2::254]";

/**
 * Where IMDS is: AWS_EC2_METADATA_SERVICE_ENDPOINT, else the address of AWS_EC2_METADATA_SERVICE_ENDPOINT_MODE, which
 * is IPv4 or IPv6 in any case. A host without a scheme, as bootstrap.sh's IMDS_ENDPOINT may be, is taken as http.
 */
export function imdsEndpoint(environment: Environment, bootstrapEndpoint?: string): string {
  const endpoint = environment["AWS_EC2_METADATA_SERVICE_ENDPOINT"] || bootstrapEndpoint;
  if (endpoint) return withScheme(endpoint).replace(/\/+$/, "");
  return environment["AWS_EC2_METADATA_SERVICE_ENDPOINT_MODE"]?.toLowerCase() === "ipv6" ? IPV6_ENDPOINT : IPV4_ENDPOINT;
}

function withScheme(endpoint: string): string {
  return endpoint.includes("://") ? endpoint : `http://${endpoint}`;
}
