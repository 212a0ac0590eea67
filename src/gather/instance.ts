import { AgentError } from "../errors.ts";
import { parseAddress, parseCidr } from "../lib/ip.ts";
import { isJsonObject, parseJson } from "../lib/json.ts";
import type { Answer, InstanceFacts } from "../resolve/facts.ts";
import type { Imds } from "./imds.ts";
import { UNREACHABLE_REMEDY } from "./imds-answer.ts";
import { within } from "./within.ts";

/**
 * Who this instance is. Everything is asked at once, and as little as can be: the identity document has most of it. It has no address
 * where the instance has only IPv6.
 *
 * @throws AgentError when IMDS does not say
 */
export async function gatherInstance(imds: Imds, signal?: AbortSignal): Promise<InstanceFacts> {
  const get = <T>(path: string, parse: (text: string) => T | undefined): Promise<T | undefined> => imds.get(path, parse, { signal });
  const [document, dnsSuffix, mac] = await Promise.all([
    get("dynamic/instance-identity/document", parseIdentityDocument),
    get("meta-data/services/domain", matching(DNS_SUFFIX)),
    get("meta-data/mac", matching(MAC)),
  ]);
  const { privateIp, ...identity } = needed(document, "dynamic/instance-identity/document");
  const localIpv4 = privateIp ?? (await get("meta-data/local-ipv4", parseIpv4));
  return {
    ...identity,
    dnsSuffix: needed(dnsSuffix, "meta-data/services/domain"),
    mac: needed(mac, "meta-data/mac"),
    ...(localIpv4 === undefined ? {} : { localIpv4 }),
  };
}

/** How the instance is paid for; IMDS of instances launched long ago does not say. */
export async function gatherLifeCycle(imds: Imds, signal?: AbortSignal): Promise<Answer<string>> {
  const value = await imds.get("meta-data/instance-life-cycle", matching(LIFE_CYCLE), { signal });
  return value === undefined ? { failure: 'IMDS has no "meta-data/instance-life-cycle"' } : { value };
}

/** EC2 knows it as well. Not less, since IMDS itself may take some seconds to be there after a boot. */
const HOSTNAME_MS = 30_000;
const LOCAL_HOSTNAME = "meta-data/local-hostname";

/**
 * The instance's name as IMDS has it, in lower case.
 *
 * @throws AgentError when it does not say
 */
export async function gatherLocalHostname(imds: Imds, signal?: AbortSignal, patienceMs: number = HOSTNAME_MS): Promise<string> {
  const asked = (either: AbortSignal): Promise<string | undefined> => imds.get(LOCAL_HOSTNAME, matching(HOST_NAME), { signal: either });
  const name = await within(patienceMs, signal, asked, () => {
    throw new AgentError("unreachable", `IMDS did not tell "${LOCAL_HOSTNAME}" within ${patienceMs / 1000} s`, { remedy: UNREACHABLE_REMEDY });
  });
  if (name === undefined) throw new AgentError("remote-nonsense", `IMDS has no "${LOCAL_HOSTNAME}"`, { remedy: "Leave out --node-name-source: EC2 knows the name." });
  return name.toLowerCase();
}

/** All IPv4 blocks of the VPC; none where the subnet has only IPv6. */
export async function gatherVpcIpv4Cidrs(imds: Imds, mac: string, signal?: AbortSignal): Promise<readonly string[]> {
  return (await imds.get(`meta-data/network/interfaces/macs/${mac}/vpc-ipv4-cidr-blocks`, parseIpv4Cidrs, { signal })) ?? [];
}

/** First IPv6 address of the interface in RFC 5952 form; undefined when it has none. */
export async function gatherIpv6Address(imds: Imds, mac: string, signal?: AbortSignal): Promise<string | undefined> {
  return imds.get(`meta-data/network/interfaces/macs/${mac}/ipv6s`, parseFirstIpv6, { signal });
}

/** @throws AgentError when IMDS does not say */
export async function gatherInstanceType(imds: Imds, signal?: AbortSignal): Promise<string> {
  return needed(await imds.get("meta-data/instance-type", parseInstanceType, { signal }), "meta-data/instance-type");
}

/** @throws AgentError when IMDS does not say */
export async function gatherRegion(imds: Imds, signal?: AbortSignal): Promise<string> {
  return needed(await imds.get("meta-data/placement/region", parseRegion, { signal }), "meta-data/placement/region");
}

// They become parts of host names, paths and file contents: the shapes are as narrow as AWS's own.
const INSTANCE_ID = /^i-[0-9a-f]{8,32}$/;
const INSTANCE_TYPE = /^[a-z0-9-]{1,32}\.[a-z0-9-]{1,32}$/;
const REGION = /^[a-z]{2,8}(-[a-z]{1,16}){1,4}-\d{1,2}$/;
const ZONE = /^[a-z]{2,8}(-[a-z0-9]{1,16}){2,6}$/;
const ACCOUNT_ID = /^\d{12}$/;
const DNS_SUFFIX = /^[a-z0-9-]{1,63}(\.[a-z0-9-]{1,63}){1,6}$/;
const LIFE_CYCLE = /^[a-z][a-z-]{0,62}$/;
/** The domain is an operator's, with mistakes and all: it is compared, and shown. */
const HOST_NAME = /^[\x20-\x7e]{1,255}$/;
const MAC = /^[0-9a-f]{2}(:[0-9a-f]{2}){5}$/;

type Identity = Pick<InstanceFacts, "id" | "type" | "region" | "zone" | "accountId"> & { readonly privateIp: string | undefined };

function parseIdentityDocument(text: string): Identity | undefined {
  const document = parseJson(text);
  if (!isJsonObject(document)) return undefined;
  const field = (name: string, shape: RegExp): string | undefined => {
    const value = document[name];
    return typeof value === "string" ? matching(shape)(value) : undefined;
  };
  const [id, type] = [field("instanceId", INSTANCE_ID), field("instanceType", INSTANCE_TYPE)];
  const [region, zone, accountId] = [field("region", REGION), field("availabilityZone", ZONE), field("accountId", ACCOUNT_ID)];
  if (id === undefined || type === undefined || region === undefined || zone === undefined || accountId === undefined) return undefined;
  return { id, type, region, zone, accountId, privateIp: typeof document["privateIp"] === "string" ? parseIpv4(document["privateIp"]) : undefined };
}

export function parseRegion(text: string): string | undefined {
  return matching(REGION)(text);
}

export function parseInstanceType(text: string): string | undefined {
  return matching(INSTANCE_TYPE)(text);
}

function matching(shape: RegExp): (text: string) => string | undefined {
  return (text) => (shape.test(text) ? text : undefined);
}

function parseIpv4(text: string): string | undefined {
  const address = parseAddress(text);
  return address?.family === "ipv4" ? address.text : undefined;
}

function parseIpv4Cidrs(text: string): readonly string[] | undefined {
  const blocks = text.split(/\s+/);
  return blocks.every((block) => parseCidr(block)?.family === "ipv4") ? blocks : undefined;
}

function parseFirstIpv6(text: string): string | undefined {
  const address = parseAddress(text.split(/\s+/)[0] ?? "");
  return address?.family === "ipv6" ? address.text : undefined;
}

function needed<T>(value: T | undefined, path: string): T {
  if (value !== undefined) return value;
  throw new AgentError("remote-nonsense", `IMDS has no "${path}", which every instance has`, {
    remedy: "Check that it is EC2's IMDS that answers, and not another cloud's or a stand-in.",
  });
}
