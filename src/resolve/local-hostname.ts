import type { NodeConfig } from "../config/node-config.ts";
import { canonicalNames } from "./canonical-name.ts";
import type { Answer, Facts } from "./facts.ts";

/** Whether the operator lets IMDS tell the private DNS name. */
export function trustsImds({ kubelet }: NodeConfig): boolean {
  return kubelet.nodeNameSource?.value === "imds-if-canonical";
}

/**
 * The name that IMDS tells, if it can be nobody's but EC2's; else why it is not taken. Control planes know a node by EC2's PrivateDnsName,
 * and IMDS's local-hostname may be another: a domain of the VPC's DHCP options.
 *
 * @returns undefined while what that depends on is not known
 */
export function canonicalHostname({ instance, localHostname }: Facts): Answer<string> | undefined {
  if (instance === undefined || localHostname === undefined) return undefined;
  if ("failure" in localHostname) return localHostname;
  const [value, names] = [localHostname.value.toLowerCase(), canonicalNames(instance)];
  return names.includes(value) ? { value } : { failure: `IMDS's local-hostname is ${JSON.stringify(value)}, and not ${names.join(" or ")}` };
}
