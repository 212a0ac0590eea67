import ipaddr from "ipaddr.js";
import { AgentError } from "../errors.ts";

export type Family = "ipv4" | "ipv6";

/** `text` is the one way to write the address: four decimal numbers, or RFC 5952. */
export type Address = { readonly family: Family; readonly text: string };

/** A block of addresses. `network` is its first address, whichever address of it was written. */
export type Cidr = { readonly family: Family; readonly network: string; readonly prefix: number };

/**
 * Undefined unless `text` is a whole IPv4 address in decimal or an IPv6 address. IPv4 in IPv6's clothes (::ffff:10.0.0.1),
 * zones (fe80::1%eth0) and short or octal IPv4 (10.1, 010.0.0.1) are none: programs disagree about what they mean.
 */
export function parseAddress(text: string): Address | undefined {
  const address = parse(text);
  return address === undefined ? undefined : { family: address.kind(), text: address.toString() };
}

/** Undefined unless `text` is an address that parseAddress takes, a slash and a prefix length. */
export function parseCidr(text: string): Cidr | undefined {
  const [, address = "", length = ""] = /^([^/]+)\/(0|[1-9]\d{0,2})$/.exec(text) ?? [];
  const first = parse(address);
  const prefix = Number(length);
  if (first === undefined || prefix > bitsOf(first)) return undefined;
  const masked = ipaddr.fromByteArray(maskBytes(first.toByteArray(), prefix));
  return { family: first.kind(), network: masked.toString(), prefix };
}

/** "172.20.0.0/16" */
export function showCidr(cidr: Cidr): string {
  return `${cidr.network}/${cidr.prefix}`;
}

/** Whether the block is large enough for tenthAddress. */
export function hasTenthAddress(cidr: Cidr): boolean {
  return (cidr.family === "ipv4" ? 32 : 128) - cidr.prefix >= 4;
}

/** The family of a block that parseCidr takes. */
export function cidrFamily(text: string): Family {
  return demandCidr(text).family;
}

/**
 * Network address + 10: where EKS puts the cluster's DNS service in the services' block.
 *
 * @throws AgentError "config-invalid" when the block ends before
 */
export function tenthAddress(text: string): string {
  const cidr = demandCidr(text);
  if (!hasTenthAddress(cidr)) {
    throw new AgentError("config-invalid", `Cannot take the tenth address of "${text}" for the cluster DNS: the block is too small`, {
      remedy: "Give the cluster's service CIDR as `aws eks describe-cluster` shows it, or --dns-cluster-ip.",
    });
  }
  const bytes = ipaddr.parse(cidr.network).toByteArray();
  // The last four bits of the network are 0, so nothing is carried.
  return ipaddr.fromByteArray([...bytes.slice(0, -1), (bytes.at(-1) ?? 0) + 10]).toString();
}

/** Whether all addresses of `inner` are in `outer`; both are blocks that parseCidr takes. */
export function isWithin(inner: string, outer: string): boolean {
  const [small, large] = [demandCidr(inner), demandCidr(outer)];
  if (small.family !== large.family || small.prefix < large.prefix) return false;
  return parseCidr(`${small.network}/${large.prefix}`)?.network === large.network;
}

function parse(text: string): ipaddr.IPv4 | ipaddr.IPv6 | undefined {
  const ofIpv4 = FOUR_NUMBERS.test(text) ? text.split(".").map(Number) : undefined;
  if (ofIpv4 !== undefined) return ofIpv4.every((octet) => octet < 256) ? new ipaddr.IPv4(ofIpv4) : undefined;
  if (text.includes("%") || !ipaddr.IPv6.isValid(text)) return undefined;
  const address = ipaddr.IPv6.parse(text);
  return address.isIPv4MappedAddress() ? undefined : address;
}

/** The library's own check also makes what it reads octal and hexadecimal numbers by, which takes a quarter of a millisecond. */
const FOUR_NUMBERS = /^(0|[1-9]\d{0,2})(\.(0|[1-9]\d{0,2})){3}$/;

function bitsOf(address: ipaddr.IPv4 | ipaddr.IPv6): number {
  return address.toByteArray().length * 8;
}

function maskBytes(bytes: readonly number[], prefix: number): number[] {
  return bytes.map((byte, index) => byte & (0xff00 >> Math.min(8, Math.max(0, prefix - index * 8))) & 0xff);
}

function demandCidr(text: string): Cidr {
  const cidr = parseCidr(text);
  if (cidr === undefined) throw new Error(`${JSON.stringify(text)} is not a block of addresses, and should have been refused earlier`);
  return cidr;
}
