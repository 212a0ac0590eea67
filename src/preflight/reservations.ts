import { parseQuantity } from "../lib/quantity.ts";
import { findingOn } from "./config-rules.ts";
import type { EffectiveConfig } from "./effective-config.ts";
import { textAt, textsAt } from "./effective-config.ts";
import type { Finding } from "./finding.ts";
import { alternatives, quote } from "./finding.ts";

const RESOURCES = ["cpu", "memory", "ephemeral-storage", "pid"];

/** Quantities that kubelet cannot read in what is reserved, and in the size of logs: it ends on them after its validation. */
export function checkQuantities(config: EffectiveConfig): readonly Finding[] {
  return [...checkReserved(config, "kubeReserved"), ...checkReserved(config, "systemReserved"), ...checkQosReserved(config), ...checkLogSize(config)];
}

function checkReserved(config: EffectiveConfig, field: string): readonly Finding[] {
  return textsAt(config, field).flatMap(([resource, value]) => {
    if (!RESOURCES.includes(resource)) {
      return [findingOn(config, "reservation", [field], `Cannot use ${quote(resource)} in ${field}: kubelet reserves ${alternatives(RESOURCES)}`)];
    }
    if ((parseQuantity(value) ?? -1n) >= 0n) return [];
    return [findingOn(config, "reservation", [field], `Cannot use ${quote(value)} as ${resource} in ${field}: kubelet expects a quantity such as "100m" or "1Gi"`)];
  });
}

function checkQosReserved(config: EffectiveConfig): readonly Finding[] {
  return textsAt(config, "qosReserved").flatMap(([resource, value]) => {
    if (resource !== "memory") return [findingOn(config, "reservation", ["qosReserved"], `Cannot use ${quote(resource)} in qosReserved: kubelet reserves memory only`)];
    if (/^(100|\d{1,2})%$/.test(value)) return [];
    return [findingOn(config, "reservation", ["qosReserved"], `Cannot use ${quote(value)} as memory in qosReserved: kubelet expects a percentage from 0% to 100%`)];
  });
}

function checkLogSize(config: EffectiveConfig): readonly Finding[] {
  const size = textAt(config, "containerLogMaxSize");
  if (size === undefined || parseQuantity(size) !== undefined) return [];
  return [findingOn(config, "reservation", ["containerLogMaxSize"], `Cannot use ${quote(size)} as containerLogMaxSize: kubelet expects a quantity such as "10Mi"`)];
}

/** What the node has, of which some is reserved. */
export type NodeResources = { readonly cpus: number; readonly memoryMiB: number };

/** Reservations that leave nothing for pods: kubelet ends on more than there is. */
export function checkCapacity(config: EffectiveConfig, node: NodeResources): readonly Finding[] {
  return [
    ...demandRest(config, "cpu", reservedCpu(config), quantityOf(String(node.cpus)), `${node.cpus} CPUs`),
    ...demandRest(config, "memory", reservedMemory(config, node), quantityOf(`${node.memoryMiB}Mi`), `${node.memoryMiB} MiB of memory`),
  ];
}

function demandRest(config: EffectiveConfig, resource: string, reserved: bigint, capacity: bigint, has: string): readonly Finding[] {
  if (reserved < capacity) return [];
  const shown = resource === "cpu" ? `${reserved / 1_000_000n} millicores` : `${reserved / quantityOf("1Mi")} MiB`;
  const message = `Cannot reserve ${shown} of ${resource} with kubeReserved, systemReserved${resource === "cpu" ? "" : " and evictionHard"}: this node has ${has}, and pods would get nothing`;
  return [findingOn(config, "reserved-too-much", ["kubeReserved", "systemReserved", ...(resource === "cpu" ? ["reservedSystemCPUs"] : ["evictionHard"])], message)];
}

/** reservedSystemCPUs replaces both reservations of CPU by its size. */
function reservedCpu(config: EffectiveConfig): bigint {
  const cpus = textAt(config, "reservedSystemCPUs") ?? "";
  if (cpus !== "") return quantityOf(String(sizeOfCpuSet(cpus)));
  return amountOf(config, "kubeReserved", "cpu") + amountOf(config, "systemReserved", "cpu");
}

function reservedMemory(config: EffectiveConfig, node: NodeResources): bigint {
  return amountOf(config, "kubeReserved", "memory") + amountOf(config, "systemReserved", "memory") + evictedMemory(config, node);
}

/** Kubelet counts the hard threshold as reserved, too. */
function evictedMemory(config: EffectiveConfig, node: NodeResources): bigint {
  const threshold = new Map(textsAt(config, "evictionHard")).get("memory.available") ?? "0";
  if (!threshold.endsWith("%")) return quantityOf(threshold);
  const percent = Number(threshold.slice(0, -1));
  return percent >= 0 && percent < 100 ? quantityOf(`${Math.floor((node.memoryMiB * percent) / 100)}Mi`) : 0n;
}

function amountOf(config: EffectiveConfig, field: string, resource: string): bigint {
  return quantityOf(new Map(textsAt(config, field)).get(resource) ?? "0");
}

/** In nano-units; zero for what cannot be read, which has been reported. */
function quantityOf(text: string): bigint {
  return parseQuantity(text) ?? 0n;
}

function sizeOfCpuSet(text: string): number {
  return text.split(",").reduce((size, range) => {
    const [first, last = first] = range.split("-");
    return size + Number(last) - Number(first) + 1;
  }, 0);
}
