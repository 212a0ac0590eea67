import type { EffectiveConfig, Origin } from "./effective-config.ts";
import type { Finding } from "./finding.ts";
import { CHOICE_RULES } from "./rules/choices.ts";
import { DURATION_RULES } from "./rules/durations.ts";
import { FEATURE_RULES } from "./rules/features.ts";
import { NODE_ALLOCATABLE_RULES } from "./rules/node-allocatable.ts";
import { NUMBER_RULES } from "./rules/numbers.ts";
import type { Rule } from "./rules/rule.ts";

/**
 * All rules on the effective configuration that need nothing but the configuration.
 *
 * Rules of kubelet's validation that are not here, and why:
 *
 * | rule | why |
 * | --- | --- |
 * | failCgroupV1, singleProcessOOMKill | need the host's cgroup version: host.ts |
 * | registerWithTaints | taints.ts, together with the flag |
 * | crashLoopBackOff.maxContainerRestartPeriod, memoryThrottlingFactor missing while the gate is on | kubelet's default fills them in first |
 * | tlsCipherSuites' names | they are those of the Go that built kubelet |
 * | podLogsDir empty | kubelet's default fills it in first |
 * | preloadedImagesVerificationAllowlist's patterns | kubelet's parser of image references would have to be written again |
 */
const RULES: readonly Rule[] = [...NUMBER_RULES, ...DURATION_RULES, ...CHOICE_RULES, ...NODE_ALLOCATABLE_RULES, ...FEATURE_RULES];

/** The rules of this version that the effective configuration breaks. */
export function checkRules(config: EffectiveConfig): readonly Finding[] {
  return RULES.filter((rule) => config.minor >= rule.since && config.minor <= (rule.until ?? Infinity)).flatMap((rule) => {
    const message = rule.complaint(config);
    return message === undefined ? [] : [findingOn(config, "config-rule", rule.fields, message)];
  });
}

/** An error whose source and remedy name where the fields were set. */
export function findingOn(config: EffectiveConfig, code: string, fields: readonly string[], message: string): Finding {
  const origins = fields.map((field) => config.origin(field)).filter((origin) => origin !== undefined);
  return { severity: "error", code, message, source: origins[0]?.source ?? "kubelet's default", remedy: remedy(fields, origins) };
}

function remedy(fields: readonly string[], origins: readonly Origin[]): string {
  if (origins.length === 0) return `Set ${fields[0] ?? "the field"} in the kubelet configuration.`;
  return `Change ${origins.map(({ name, source }) => `${name} (${source})`).join(" or ")}.`;
}
