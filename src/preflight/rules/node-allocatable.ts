import { parseQuantity } from "../../lib/quantity.ts";
import { isJsonObject } from "../../lib/json.ts";
import type { JsonValue } from "../../lib/json.ts";
import type { EffectiveConfig } from "../effective-config.ts";
import { objectsAt, textAt, wordsAt } from "../effective-config.ts";
import { alternatives, quote } from "../finding.ts";
import type { Rule } from "./rule.ts";

const FIELD = "enforceNodeAllocatable";
const BASIC = ["none", "pods", "system-reserved", "kube-reserved"];
const COMPRESSIBLE = ["system-reserved-compressible", "kube-reserved-compressible"];
const COMPRESSIBLE_SINCE = 32;

/** What is set aside for the system, and how that is enforced. */
export const NODE_ALLOCATABLE_RULES: readonly Rule[] = [
  { since: 20, fields: [FIELD], complaint: unknownEnforcement },
  {
    since: 20,
    fields: [FIELD],
    complaint: (config) => {
      const words = wordsAt(config, FIELD);
      return words.includes("none") && words.length > 1 ? `Cannot use ${quote(words)} as ${FIELD}: with "none" kubelet accepts nothing else` : undefined;
    },
  },
  {
    since: 31,
    fields: [FIELD],
    complaint: (config) => {
      const words = wordsAt(config, FIELD);
      const twice = words.find((word, index) => words.indexOf(word) !== index);
      return twice === undefined ? undefined : `Cannot use ${quote(words)} as ${FIELD}: it names ${quote(twice)} twice`;
    },
  },
  { since: 20, until: 30, fields: ["cgroupsPerQOS", FIELD], complaint: (config) => withoutCgroups(config, () => true) },
  { since: 31, fields: ["cgroupsPerQOS", FIELD], complaint: (config) => withoutCgroups(config, (word) => word !== "none") },
  reservedCgroupRule("system-reserved", "systemReservedCgroup"),
  reservedCgroupRule("kube-reserved", "kubeReservedCgroup"),
  exclusiveRule("system-reserved"),
  exclusiveRule("kube-reserved"),
  {
    since: 20,
    fields: ["reservedSystemCPUs", "systemReservedCgroup", "kubeReservedCgroup"],
    complaint: (config) => {
      const cgroup = ["systemReservedCgroup", "kubeReservedCgroup"].find((field) => isNonEmpty(textAt(config, field)));
      if (!isNonEmpty(textAt(config, "reservedSystemCPUs")) || cgroup === undefined) return undefined;
      return `Cannot use reservedSystemCPUs together with ${cgroup}: kubelet demands one or the other`;
    },
  },
  {
    since: 20,
    fields: ["reservedSystemCPUs"],
    complaint: (config) => {
      const cpus = textAt(config, "reservedSystemCPUs");
      if (cpus === undefined || isCpuSet(cpus)) return undefined;
      return `Cannot use ${quote(cpus)} as reservedSystemCPUs: kubelet expects numbers and ranges such as "0-3,8"`;
    },
  },
  {
    since: 20,
    fields: ["systemCgroups", "cgroupRoot"],
    complaint: (config) => {
      if (!isNonEmpty(textAt(config, "systemCgroups")) || isNonEmpty(textAt(config, "cgroupRoot"))) return undefined;
      return `Cannot use ${quote(textAt(config, "systemCgroups"))} as systemCgroups without cgroupRoot`;
    },
  },
  { since: 21, fields: ["reservedMemory"], complaint: wrongReservedMemory },
];

function unknownEnforcement(config: EffectiveConfig): string | undefined {
  const known = config.minor >= COMPRESSIBLE_SINCE ? [...BASIC, ...COMPRESSIBLE] : BASIC;
  const unknown = wordsAt(config, FIELD).find((word) => !known.includes(word));
  return unknown === undefined ? undefined : `Cannot use ${quote(unknown)} in ${FIELD}: kubelet 1.${config.minor} accepts ${alternatives(known.map(quote))}`;
}

function withoutCgroups(config: EffectiveConfig, needsCgroups: (word: string) => boolean): string | undefined {
  const words = wordsAt(config, FIELD).filter(needsCgroups);
  if (config.value("cgroupsPerQOS") !== false || words.length === 0) return undefined;
  return `Cannot use ${quote(words)} as ${FIELD} with cgroupsPerQOS false: kubelet enforces it through those cgroups`;
}

/** A cgroup must be named for what is to be enforced on it. */
function reservedCgroupRule(enforcement: string, field: string): Rule {
  return {
    since: 20,
    fields: [field, FIELD],
    complaint: (config) => {
      const word = wordsAt(config, FIELD).find((item) => item === enforcement || (item === `${enforcement}-compressible` && config.minor >= COMPRESSIBLE_SINCE));
      if (word === undefined || isNonEmpty(textAt(config, field))) return undefined;
      return `Cannot use ${quote(word)} in ${FIELD} without ${field}: kubelet has to know the cgroup`;
    },
  };
}

/** All of a reservation includes the compressible part of it. */
function exclusiveRule(enforcement: string): Rule {
  return {
    since: COMPRESSIBLE_SINCE,
    fields: [FIELD],
    complaint: (config) => {
      const words = wordsAt(config, FIELD);
      if (!words.includes(enforcement) || !words.includes(`${enforcement}-compressible`)) return undefined;
      return `Cannot use "${enforcement}" and "${enforcement}-compressible" together in ${FIELD}: kubelet demands one or the other`;
    },
  };
}

/** Source: k8s.io/utils/cpuset; spaces are not allowed, and an empty text is the empty set. */
function isCpuSet(text: string): boolean {
  if (text === "") return true;
  return text.split(",").every((part) => {
    const match = /^(\d{1,9})(?:-(\d{1,9}))?$/.exec(part);
    return match !== null && (match[2] === undefined || Number(match[1]) <= Number(match[2]));
  });
}

function wrongReservedMemory(config: EffectiveConfig): string | undefined {
  const seen = new Set<string>();
  for (const { numaNode, limits } of objectsAt(config, "reservedMemory")) {
    if (!isJsonObject(limits)) continue;
    for (const [type, amount] of Object.entries(limits)) {
      const place = `NUMA node ${quote(numaNode ?? 0)} in reservedMemory`;
      if (type !== "memory" && !type.startsWith("hugepages-")) return `Cannot use ${quote(type)} for ${place}: kubelet accepts "memory" and "hugepages-SIZE"`;
      if (isZero(amount)) return `Cannot use ${quote(amount)} as ${type} for ${place}: kubelet demands more than zero`;
      if (seen.has(`${quote(numaNode)} ${type}`)) return `Cannot use ${type} for ${place} twice`;
      seen.add(`${quote(numaNode)} ${type}`);
    }
  }
  return undefined;
}

function isZero(amount: JsonValue): boolean {
  return amount === 0 || (typeof amount === "string" && parseQuantity(amount) === 0n);
}

function isNonEmpty(text: string | undefined): boolean {
  return text !== undefined && text !== "";
}
