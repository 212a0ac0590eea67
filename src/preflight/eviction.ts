import { parseDuration } from "../lib/duration.ts";
import { parseQuantity } from "../lib/quantity.ts";
import { findingOn } from "./config-rules.ts";
import type { EffectiveConfig } from "./effective-config.ts";
import { textsAt } from "./effective-config.ts";
import type { Finding } from "./finding.ts";
import { alternatives, quote } from "./finding.ts";

/** What kubelet can watch, and from which minor of 1.x on. */
const SIGNALS = [
  { name: "memory.available", since: 20 },
  { name: "nodefs.available", since: 20 },
  { name: "nodefs.inodesFree", since: 20 },
  { name: "imagefs.available", since: 20 },
  { name: "imagefs.inodesFree", since: 20 },
  { name: "pid.available", since: 20 },
  { name: "allocatableMemory.available", since: 20 },
  { name: "containerfs.available", since: 29 },
  { name: "containerfs.inodesFree", since: 29 },
] as const;

/** The maps of evictions, and what kubelet demands of a value in each: the rest of a sentence if it is not so. */
const MAPS: readonly { readonly field: string; readonly complaint: (value: string) => string | undefined }[] = [
  { field: "evictionHard", complaint: complaintAboutThreshold },
  { field: "evictionSoft", complaint: complaintAboutThreshold },
  { field: "evictionSoftGracePeriod", complaint: complaintAboutGracePeriod },
  { field: "evictionMinimumReclaim", complaint: complaintAboutReclaim },
];

/**
 * Thresholds that kubelet cannot read: it ends on them after its validation.
 *
 * Source: Kubernetes, pkg/kubelet/eviction, the parsing of thresholds.
 */
export function checkEviction(config: EffectiveConfig): readonly Finding[] {
  return [...MAPS.flatMap(({ field, complaint }) => checkMap(config, field, complaint)), ...checkGracePeriods(config)];
}

function checkMap(config: EffectiveConfig, field: string, complaint: (value: string) => string | undefined): readonly Finding[] {
  const known = SIGNALS.filter(({ since }) => config.minor >= since).map(({ name }): string => name);
  return textsAt(config, field).flatMap(([signal, value]) => {
    if (!known.includes(signal)) return [findingOn(config, "eviction", [field], `Cannot use ${quote(signal)} in ${field}: kubelet 1.${config.minor} knows ${alternatives(known)}`)];
    const expected = complaint(value);
    return expected === undefined ? [] : [findingOn(config, "eviction", [field], `Cannot use ${quote(value)} as ${signal} in ${field}: kubelet expects ${expected}`)];
  });
}

/** "0%" and "100%" switch a threshold off. */
function isOff(value: string): boolean {
  return value === "0%" || value === "100%";
}

function complaintAboutThreshold(value: string): string | undefined {
  if (isOff(value)) return undefined;
  if (value.endsWith("%")) return isPercentage(value, 0) ? undefined : "a percentage from 0% to 100%";
  return (parseQuantity(value) ?? 0n) > 0n ? undefined : 'a quantity such as "100Mi" or a percentage such as "10%", more than zero';
}

function complaintAboutGracePeriod(value: string): string | undefined {
  const period = parseDuration(value);
  return period === undefined || period < 0n ? 'a duration such as "1m30s"' : undefined;
}

function complaintAboutReclaim(value: string): string | undefined {
  if (value.endsWith("%")) return isPercentage(value, Number.MIN_VALUE, Infinity) ? undefined : "a percentage of more than 0%";
  return (parseQuantity(value) ?? -1n) >= 0n ? undefined : 'a quantity such as "500Mi" or a percentage such as "5%"';
}

function isPercentage(text: string, least: number, most = 100): boolean {
  const number = /^[+-]?(\d+\.?\d*|\.\d+)%$/.test(text) ? Number(text.slice(0, -1)) : NaN;
  return number >= least && number <= most;
}

function checkGracePeriods(config: EffectiveConfig): readonly Finding[] {
  const periods = new Map(textsAt(config, "evictionSoftGracePeriod"));
  return textsAt(config, "evictionSoft").flatMap(([signal, value]) => {
    if (isOff(value) || periods.has(signal)) return [];
    const message = `Cannot use ${signal} in evictionSoft without a period in evictionSoftGracePeriod: kubelet has to know how long to wait`;
    return [findingOn(config, "eviction", ["evictionSoft", "evictionSoftGracePeriod"], message)];
  });
}
