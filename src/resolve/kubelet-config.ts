import type { JsonObject, JsonValue } from "../lib/json.ts";
import { leavesOf, type MergedJson, mergeJson, valueAt } from "../lib/merge-json.ts";
import { PATHS } from "../lib/paths.ts";
import { type Sourced, sourced } from "../lib/sourced.ts";
import type { Cluster } from "./cluster.ts";
import type { ContainerRuntime } from "./container-runtime.ts";
import type { HostFacts } from "./facts.ts";
import type { Identity } from "./identity.ts";
import { unprotectedKernel } from "./kernel-defaults.ts";
import { CONTAINERD_ENDPOINT } from "./kubelet-arguments.ts";
import { KUBELET_CONFIG_BASE } from "./kubelet-config-base.ts";
import type { KubeletVersion } from "./kubelet-version.ts";
import type { AddNote } from "./notes.ts";
import type { Reserved } from "./reserved.ts";
import { lastValue, type UserArguments } from "./user-arguments.ts";

export type KubeletConfigInputs = {
  readonly version: KubeletVersion;
  readonly containerRuntime: ContainerRuntime;
  readonly cluster: Cluster;
  readonly identity: Identity;
  /** Undefined leaves kubelet its default. */
  readonly maxPods: Sourced<number> | undefined;
  readonly reserved: Reserved;
  /** Undefined where kubelet asks the container runtime for images. */
  readonly imageServiceEndpoint: Sourced<string> | undefined;
  readonly host: HostFacts;
  readonly user: UserArguments;
  /** The operator's fragments, in order. */
  readonly userConfig: readonly Sourced<JsonObject>[];
  /** The kubelet-config.json that the image carried before the agent's first run. */
  readonly imageConfig: Sourced<JsonObject> | undefined;
};

/** base < the image's file < computed values < the operator's. */
export function resolveKubeletConfig(inputs: KubeletConfigInputs, addNote: AddNote): MergedJson {
  const image = inputs.imageConfig === undefined ? [] : [inputs.imageConfig];
  const base = [sourced(KUBELET_CONFIG_BASE, "default"), ...layersOf(BASE_OF_VERSION, inputs), ...image];
  const computed = layersOf(COMPUTED, inputs);
  noteReplacedImageValues(inputs, computed, addNote);
  const kernel = unprotectedKernel(inputs, mergeJson(base).value, addNote);
  return mergeJson([...base, ...computed, ...kernel, ...inputs.userConfig]);
}

type ComputedField = {
  readonly fields: (inputs: KubeletConfigInputs) => JsonObject | undefined;
  readonly source: (inputs: KubeletConfigInputs) => string;
  /** First minor that gets it, and first that no longer does. */
  readonly since?: number;
  readonly until?: number;
  /** Fields (or flags) of the operator or the image beside which kubelet refuses these. */
  readonly excludedBy?: readonly string[];
  readonly excludedByFlags?: readonly string[];
};

const byVersion = ({ version }: KubeletConfigInputs): string => `kubelet ${version.text}`;
const byDefault = (): string => "default";

/** Defaults that differ by version: bootstrap.sh, too, leaves what the image's file says of them. */
const BASE_OF_VERSION: readonly ComputedField[] = [{ fields: () => ({ kubeAPIQPS: 10, kubeAPIBurst: 20 }), source: byVersion, since: 22, until: 27 }];

/** In the order in which they are written. */
const COMPUTED: readonly ComputedField[] = [
  { fields: ({ containerRuntime }) => ({ cgroupDriver: containerRuntime === "dockerd" ? "cgroupfs" : "systemd" }), source: ({ containerRuntime }) => (containerRuntime === "dockerd" ? containerRuntime : "default") },
  { fields: ({ cluster }) => (cluster.dnsAddresses.value.length === 0 ? undefined : { clusterDNS: cluster.dnsAddresses.value }), source: ({ cluster }) => cluster.dnsAddresses.source },
  { fields: ({ identity }) => (identity.providerId === undefined ? undefined : { providerID: identity.providerId.value }), source: ({ identity }) => identity.providerId?.source ?? "" },
  { fields: ({ maxPods }) => (maxPods === undefined ? undefined : { maxPods: maxPods.value }), source: ({ maxPods }) => maxPods?.source ?? "" },
  { fields: ({ reserved }) => ({ kubeReserved: kubeReserved(reserved) }), source: ({ host, reserved }) => `${host.cpus} CPUs, ${reserved.pods.value} pods` },
  { fields: () => ({ evictionHard: { "memory.available": "100Mi", "nodefs.available": "10%", "nodefs.inodesFree": "5%" } }), source: byDefault },
  {
    fields: ({ containerRuntime }) => (containerRuntime === "dockerd" ? undefined : { systemReservedCgroup: "/system", kubeReservedCgroup: "/runtime" }),
    source: byDefault,
    excludedBy: ["reservedSystemCPUs"],
    excludedByFlags: ["reserved-cpus"],
  },
  { fields: () => ({ containerRuntimeEndpoint: CONTAINERD_ENDPOINT }), source: byVersion, since: 27 },
  { fields: ({ imageServiceEndpoint: endpoint }) => (endpoint === undefined ? undefined : { imageServiceEndpoint: endpoint.value }), source: ({ imageServiceEndpoint: endpoint }) => endpoint?.source ?? "", since: 27 },
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

function layersOf(fields: readonly ComputedField[], inputs: KubeletConfigInputs): readonly Sourced<JsonObject>[] {
  const { minor } = inputs.version;
  const wanted = fields.filter(({ since = 0, until = Number.POSITIVE_INFINITY }) => minor >= since && minor < until);
  return wanted.flatMap((field) => layerOf(field, inputs));
}

/** Excluded fields are taken out of the image's file as well: an image made from a running node carries them. */
function layerOf(field: ComputedField, inputs: KubeletConfigInputs): readonly Sourced<JsonObject>[] {
  const fields = field.fields(inputs);
  if (fields === undefined) return [];
  const excluder = excluderOf(field, inputs);
  if (excluder === undefined) return [sourced(fields, field.source(inputs))];
  return [sourced(Object.fromEntries(Object.keys(fields).map((key) => [key, null])), `excluded by ${excluder}`)];
}

function excluderOf({ excludedBy = [], excludedByFlags = [] }: ComputedField, { user, userConfig, imageConfig }: KubeletConfigInputs): string | undefined {
  const given = mergeJson(imageConfig === undefined ? userConfig : [imageConfig, ...userConfig]).value;
  const flag = excludedByFlags.find((name) => isSet(lastValue(user.arguments, name)?.value));
  return flag === undefined ? excludedBy.find((key) => isSet(given[key])) : `--${flag}`;
}

function isSet(value: JsonValue | undefined): boolean {
  return value !== undefined && value !== null && value !== "" && !(Array.isArray(value) && value.length === 0);
}

function kubeReserved({ cpuMillicores, memoryMiB }: Reserved): JsonObject {
  return { cpu: `${cpuMillicores}m`, "ephemeral-storage": "1Gi", memory: `${memoryMiB}Mi` };
}

function noteReplacedImageValues({ imageConfig }: KubeletConfigInputs, computed: readonly Sourced<JsonObject>[], addNote: AddNote): void {
  if (imageConfig === undefined) return;
  const after = mergeJson([imageConfig, ...computed]);
  for (const { keys, value } of leavesOf(imageConfig.value)) {
    const now = valueAt(after.value, keys);
    if (JSON.stringify(now) === JSON.stringify(value)) continue;
    const outcome = now === undefined ? "it is left out" : `this node gets ${JSON.stringify(now)}`;
    addNote("image-value-replaced", `The image's ${PATHS.kubeletConfig} sets ${keys.join(".")} to ${JSON.stringify(value)}; ${outcome}.`);
  }
}
