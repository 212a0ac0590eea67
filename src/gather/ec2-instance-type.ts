import type { InstanceTypeFacts } from "../resolve/facts.ts";
import type { XmlElement } from "./ec2-answer.ts";

/** What the limits on pods depend on, with the processors and what virtualises them. */
export type InstanceTypeDetails = InstanceTypeFacts & {
  readonly vcpus: number;
  /** "nitro", "xen", or undefined: bare metal has none. */
  readonly hypervisor: string | undefined;
};

/** The details that DescribeInstanceTypes gives, or a sentence that says what it lacks. */
export function readInstanceTypeDetails(answer: XmlElement, type: string): InstanceTypeDetails | string {
  const limits = readInstanceType(answer, type);
  if (typeof limits === "string") return limits;
  const found = itemOf(answer, type);
  const vcpus = positive(found?.text("vCpuInfo/defaultVCpus"));
  return vcpus === undefined ? "it has no processors" : { ...limits, vcpus, hypervisor: found?.text("hypervisor") };
}

/**
 * What DescribeInstanceTypes says of the default network card, or a sentence that says what it lacks.
 *
 * The card is found by its index: it need not be the first of the list.
 */
export function readInstanceType(answer: XmlElement, type: string): InstanceTypeFacts | string {
  const found = itemOf(answer, type);
  if (found === undefined) return "the answer is about another instance type";
  const defaultCard = found.text("networkInfo/defaultNetworkCardIndex") ?? "0";
  const card = found.all("networkInfo/networkCards/item").find((item) => item.text("networkCardIndex") === defaultCard);
  const enis = positive(card?.text("maximumNetworkInterfaces"));
  if (enis === undefined) return `it has no interfaces on its default network card, ${defaultCard}`;
  const ipv4PerEni = positive(found.text("networkInfo/ipv4AddressesPerInterface"));
  if (ipv4PerEni === undefined) return "it has no IPv4 addresses for an interface";
  return { enis, ipv4PerEni };
}

function itemOf(answer: XmlElement, type: string): XmlElement | undefined {
  return answer.all("instanceTypeSet/item").find((item) => item.text("instanceType") === type);
}

function positive(text: string | undefined): number | undefined {
  return text !== undefined && /^[1-9]\d{0,4}$/.test(text) ? Number(text) : undefined;
}
