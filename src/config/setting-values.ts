import { hasTenthAddress, parseAddress, parseCidr, showCidr, type Family } from "../lib/ip.ts";
import { parseCertificateAuthority } from "../lib/pem.ts";

/** A value read from text; or the end of the sentence "Cannot use … : …". A note begins with a verb, since its subject is the source. */
export type Parsed<Value> = { readonly value: Value; readonly note?: { readonly code: string; readonly message: string } } | { readonly fault: string };

/** How one kind of text is read. */
export type Parser<Value> = (text: string) => Parsed<Value>;

/** For a message: in quotes, and cut where the whole would hide the sentence. */
export function quote(text: string): string {
  return text.length > 80 ? `${JSON.stringify(text.slice(0, 40))}… (${text.length} characters)` : JSON.stringify(text);
}

/** bootstrap.sh took every word but "true" for false, "True" among them. */
export function parseBoolean(text: string): Parsed<boolean> {
  const word = text.toLowerCase();
  if (word !== "true" && word !== "false") return { fault: "expected true or false" };
  const value = word === "true";
  return text === word ? { value } : { value, note: { code: "boolean-case", message: `is taken as ${word}, although it is written "${text}"` } };
}

export function oneOf<Word extends string>(...words: readonly Word[]): Parser<Word> {
  return (text) => {
    const value = words.find((word) => word === text.toLowerCase());
    return value === undefined ? { fault: `expected ${words.slice(0, -1).join(", ")} or ${words.at(-1)}` } : { value };
  };
}

/** @param expected what it should look like, for the message */
export function matching(pattern: RegExp, expected: string): Parser<string> {
  return (text) => (pattern.test(text) ? { value: text } : { fault: `expected ${expected}` });
}

/** The name of an EKS cluster. */
export const parseClusterName = matching(/^[0-9A-Za-z][\w-]{0,99}$/, 'at most 100 letters, digits, "-" and "_", of which the first is a letter or digit');

/** The id of a local cluster on Outposts. */
export const parseOutpostId = matching(/^[\w.:/-]+$/, "an id without spaces");

export function wholeNumber(least: number, most: number): Parser<number> {
  return (text) => {
    const value = /^\d{1,9}$/.test(text) ? Number(text) : Number.NaN;
    return value >= least && value <= most ? { value } : { fault: `expected a whole number from ${least} to ${most}` };
  };
}

/** Seconds, which sleep(1) takes with decimals. */
export function parseSeconds(text: string): Parsed<number> {
  const value = /^\d{1,6}(\.\d{1,9})?$/.test(text) ? Number(text) : Number.NaN;
  return value <= 86_400 ? { value } : { fault: "expected a number of seconds, at most a day" };
}

/** The address of an API server, without the slash at its end. */
export function parseEndpoint(text: string): Parsed<string> {
  const [, scheme = "", host = ""] = /^(https?):\/\/([^\s/?#@\\]+)\/*$/i.exec(text) ?? [];
  const value = `${scheme.toLowerCase()}://${host}`;
  if (host === "" || !URL.canParse(value)) return { fault: faultOfEndpoint(text) };
  if (scheme.toLowerCase() === "https") return { value };
  return { value, note: { code: "endpoint-without-tls", message: `is ${value}, which is reached without TLS: anyone on the way can read and change what is said` } };
}

function faultOfEndpoint(text: string): string {
  if (/^https?:\/*https?:/i.test(text)) return "the scheme is there twice";
  return 'expected https://, a host and nothing after it, such as "https://0123456789ABCDEF.gr7.eu-west-1.eks.amazonaws.com"';
}

/** One or more certificates, as PEM. */
export function parseCa(text: string): Parsed<string> {
  const parsed = parseCertificateAuthority(text);
  if ("fault" in parsed) return { fault: `it ${parsed.fault}` };
  return parsed.wasPlain ? { value: parsed.pem, note: { code: "ca-not-base64", message: "is PEM and not base64, and is taken as it is" } } : { value: parsed.pem };
}

/** Addresses between commas, each in its one form. */
export function parseAddresses(text: string): Parsed<readonly string[]> {
  const items = text.split(",").map((item) => item.trim()).filter((item) => item !== "");
  const faulty = items.find((item) => parseAddress(item) === undefined);
  if (faulty !== undefined) return { fault: `${quote(faulty)} is no IP address` };
  return items.length === 0 ? { fault: "expected IP addresses, with commas between them" } : { value: items.map((item) => parseAddress(item)?.text ?? item) };
}

const CIDR_EXAMPLES: Readonly<Record<Family, string>> = { ipv4: "172.20.0.0/16", ipv6: "fd30:1c53:5f8a::/108" };
const FAMILY_NAMES: Readonly<Record<Family, string>> = { ipv4: "IPv4", ipv6: "IPv6" };

/** A block of addresses, as its network and prefix length. */
export function serviceCidr(family: Family): Parser<string> {
  return (text) => {
    const cidr = parseCidr(text);
    if (cidr === undefined) return { fault: `expected an ${FAMILY_NAMES[family]} block, such as "${CIDR_EXAMPLES[family]}"` };
    if (cidr.family !== family) return { fault: `it is an ${FAMILY_NAMES[cidr.family]} block, for which there is --service-${cidr.family}-cidr` };
    if (!hasTenthAddress(cidr)) return { fault: "the block ends before its tenth address, which is the cluster DNS" };
    const value = showCidr(cidr);
    const isMasked = text.split("/")[0] !== cidr.network && parseAddress(text.split("/")[0] ?? "")?.text !== cidr.network;
    return isMasked ? { value, note: { code: "cidr-masked", message: `is taken as ${value}, although it is written "${text}"` } } : { value };
  };
}
