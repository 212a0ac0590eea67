import { isJsonObject, type JsonObject, type JsonValue } from "../lib/json.ts";
import { type MergedJson, mergeJson, valueAt } from "../lib/merge-json.ts";
import { PATHS } from "../lib/paths.ts";
import { type Sourced, sourced } from "../lib/sourced.ts";
import type { Cluster } from "./cluster.ts";
import { type HostFacts, KERNEL_DEFAULTS } from "./facts.ts";
import type { Identity } from "./identity.ts";
import { CONTAINERD_ENDPOINT } from "./kubelet-arguments.ts";
import { KUBELET_CONFIG_BASE } from "./kubelet-config-base.ts";
import type { KubeletVersion } from "./kubelet-version.ts";
import type { AddNote } from "./notes.ts";
import type { Reserved } from "./reserved.ts";
import { lastValue, type UserArguments } from "./user-arguments.ts";

export type KubeletConfigInputs = {
  readonly version: KubeletVersion;
  readonly cluster: Cluster;
  readonly identity: Identity;
  /** Undefined leaves kubelet its default. */
  readonly maxPods: Sourced<number> | undefined;
  readonly reserved: Reserved;
  readonly host: HostFacts;
  readonly user: UserArguments;
  /** The operator's fragments, in order. */
  readonly userConfig: readonly Sourced<JsonObject>[];
  /** The kubelet-config.json that the image carried before the agent's first run. */
  readonly imageConfig: Sourced<JsonObject> | undefined;
};

/** base < the image's file < computed values < the operator's. */
export function resolveKubeletConfig(inputs: KubeletConfigInputs, addNote: AddNote): MergedJson {
  const user = mergeJson(inputs.userConfig);
  const computed = computedLayers(inputs, user.value, addNote);
  const image = inputs.imageConfig === undefined ? [] : [inputs.imageConfig];
  noteReplacedImageValues(inputs.imageConfig, mergeJson(computed).value, addNote);
  return mergeJson([sourced(KUBELET_CONFIG_BASE, "default"), ...image, ...computed, ...inputs.userConfig]);
}

type ComputedField = {
  readonly fields: (inputs: KubeletConfigInputs) => JsonObject | undefined;
  readonly source: (inputs: KubeletConfigInputs) => string;
  /** First minor that gets it, and first that no longer does. */
  readonly since?: number;
  readonly until?: number;
  /** The operator's fields (or flags) that exclude this one. */
  readonly excludedBy?: readonly string[];
  readonly excludedByFlags?: readonly string[];
};

const byVersion = ({ version }: KubeletConfigInputs): string => `kubelet ${version.text}`;
const byDefault = (): string => "default";

const COMPUTED: readonly ComputedField[] = [
  { fields: () => ({ cgroupDriver: "systemd" }), source: byDefault },
  { fields: ({ cluster }) => (cluster.dnsAddresses.value.length === 0 ? undefined : { clusterDNS: cluster.dnsAddresses.value }), source: ({ cluster }) => cluster.dnsAddresses.source },
  { fields: ({ identity }) => (identity.providerId === undefined ? undefined : { providerID: identity.providerId.value }), source: ({ identity }) => identity.providerId?.source ?? "" },
  { fields: ({ maxPods }) => (maxPods === undefined ? undefined : { maxPods: maxPods.value }), source: ({ maxPods }) => maxPods?.source ?? "" },
  { fields: ({ reserved }) => ({ kubeReserved: kubeReserved(reserved) }), source: ({ host, reserved }) => `${host.cpus} CPUs, ${reserved.pods.value} pods` },
  { fields: () => ({ evictionHard: { "memory.available": "100Mi", "nodefs.available": "10%", "nodefs.inodesFree": "5%" } }), source: byDefault },
  {
    fields: () => ({ systemReservedCgroup: "/system", kubeReservedCgroup: "/runtime" }),
    source: byDefault,
    excludedBy: ["reservedSystemCPUs"],
    excludedByFlags: ["reserved-cpus"],
  },
  { fields: () => ({ containerRuntimeEndpoint: CONTAINERD_ENDPOINT }), source: byVersion, since: 27 },
  { fields: () => ({ kubeAPIQPS: 10, kubeAPIBurst: 20 }), source: byVersion, since: 22, until: 27 },
  { fields: () => ({ featureGates: { RotateKubeletServerCertificate: true } }), source: byDefault },
  { fields: () => ({ featureGates: { DynamicResourceAllocation: true } }), source: byVersion, since: 33 },
  { fields: () => ({ featureGates: { MutableCSINodeAllocatableCount: true } }), source: byVersion, since: 34 },
  {
    fields: () => ({ shutdownGracePeriod: "2m30s", shutdownGracePeriodCriticalPods: "30s" }),
    source: byVersion,
    since: 34,
    excludedBy: ["shutdownGracePeriodByPodPriority"],
  },
];

function computedLayers(inputs: KubeletConfigInputs, user: JsonObject, addNote: AddNote): readonly Sourced<JsonObject>[] {
  const { minor } = inputs.version;
  const wanted = COMPUTED.filter(({ since = 0, until = Number.POSITIVE_INFINITY }) => minor >= since && minor < until);
  const layers = wanted.flatMap((field) => {
    const fields = isExcluded(field, inputs, user) ? undefined : field.fields(inputs);
    return fields === undefined ? [] : [sourced(fields, field.source(inputs))];
  });
  return [...layers, ...unprotectedKernel(inputs.host, user, addNote)];
}

function isExcluded({ excludedBy = [], excludedByFlags = [] }: ComputedField, { user }: KubeletConfigInputs, config: JsonObject): boolean {
  return excludedBy.some((key) => isSet(config[key])) || excludedByFlags.some((name) => lastValue(user.arguments, name) !== undefined);
}

function isSet(value: JsonValue | undefined): boolean {
  return value !== undefined && value !== null && value !== "" && !(Array.isArray(value) && value.length === 0);
}

function kubeReserved({ cpuMillicores, memoryMiB }: Reserved): JsonObject {
  return { cpu: `${cpuMillicores}m`, "ephemeral-storage": "1Gi", memory: `${memoryMiB}Mi` };
}

/** With protectKernelDefaults kubelet exits where the kernel's settings differ; without, it sets them itself. */
function unprotectedKernel(host: HostFacts, user: JsonObject, addNote: AddNote): readonly Sourced<JsonObject>[] {
  const wrong = Object.entries(KERNEL_DEFAULTS).filter(([name, wanted]) => host.sysctls[name] !== undefined && host.sysctls[name] !== wanted);
  if (wrong.length === 0 || Object.hasOwn(user, "protectKernelDefaults")) return [];
  const list = wrong.map(([name, wanted]) => `${name} is ${host.sysctls[name]} and not ${wanted}`).join(", ");
  addNote("kernel-defaults-differ", `protectKernelDefaults is written false, since kubelet would refuse to start: ${list}. Kubelet sets them itself then.`);
  return [sourced({ protectKernelDefaults: false }, "kernel settings of this host")];
}

function noteReplacedImageValues(image: Sourced<JsonObject> | undefined, computed: JsonObject, addNote: AddNote): void {
  if (image === undefined) return;
  for (const [path, value] of leaves(computed, "")) {
    const before = valueAt(image.value, path);
    if (before === undefined || JSON.stringify(before) === JSON.stringify(value)) continue;
    addNote("image-value-replaced", `The image's ${PATHS.kubeletConfig} sets ${path} to ${JSON.stringify(before)}; this node gets ${JSON.stringify(value)}.`);
  }
}

function leaves(value: JsonObject, prefix: string): readonly (readonly [string, JsonValue])[] {
  return Object.entries(value).flatMap(([key, child]) => {
    const path = `${prefix}${key}`;
    return isJsonObject(child) ? leaves(child, `${path}.`) : [[path, child] as const];
  });
}
