import { isJsonObject } from "../lib/json.ts";
import { NEWEST_MINOR } from "../resolve/kubelet-version.ts";
import type { EffectiveConfig } from "./effective-config.ts";

/**
 * The gates that decide whether a field may be set, and from which minor on they are on or off by default. Other gates are
 * none of preflight's business: kubelet's set of them changes with each version, and the syntax is all that is checked.
 *
 * Source: pkg/features/kube_features.go of Kubernetes 1.35.
 */
const GATES = {
  CustomCPUCFSQuotaPeriod: [{ since: 12, isOn: false }],
  GracefulNodeShutdown: [{ since: 20, isOn: false }, { since: 21, isOn: true }],
  GracefulNodeShutdownBasedOnPodPriority: [{ since: 23, isOn: false }, { since: 24, isOn: true }],
  ImageMaximumGCAge: [{ since: 29, isOn: false }, { since: 30, isOn: true }],
  KubeletCrashLoopBackOffMax: [{ since: 32, isOn: false }, { since: 35, isOn: true }],
  KubeletEnsureSecretPulledImages: [{ since: 33, isOn: false }, { since: 35, isOn: true }],
  KubeletTracing: [{ since: 25, isOn: false }, { since: 27, isOn: true }],
  MemoryQoS: [{ since: 22, isOn: false }],
  NodeLogQuery: [{ since: 27, isOn: false }],
  NodeSwap: [{ since: 22, isOn: false }, { since: 30, isOn: true }],
  RotateKubeletServerCertificate: [{ since: 12, isOn: true }],
  TopologyManager: [{ since: 18, isOn: true }],
} as const satisfies Readonly<Record<string, readonly GateDefault[]>>;

type GateDefault = { readonly since: number; readonly isOn: boolean };

export type Gate = keyof typeof GATES;

/** Gates that switch whole groups of others, after which nobody but kubelet knows the state of one. */
const GROUPS = ["AllAlpha", "AllBeta"];

/**
 * Whether a gate is on: as featureGates says, else by default. Undefined if this agent cannot know: a group of gates is
 * switched, or the gate was off in the last version whose source was read.
 */
export function isGateOn(config: EffectiveConfig, gate: Gate): boolean | undefined {
  const gates = config.value("featureGates");
  const explicit = isJsonObject(gates) ? gates[gate] : undefined;
  if (typeof explicit === "boolean") return explicit;
  if (isJsonObject(gates) && GROUPS.some((group) => gates[group] !== undefined)) return undefined;
  const defaults: readonly GateDefault[] = GATES[gate];
  const isOn = defaults.findLast(({ since }) => config.minor >= since)?.isOn;
  return isOn === false && config.minor >= NEWEST_MINOR ? undefined : isOn;
}
