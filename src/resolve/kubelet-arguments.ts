import { isJsonObject, type JsonValue } from "../lib/json.ts";
import { type MergedJson, valueAt } from "../lib/merge-json.ts";
import { PATHS } from "../lib/paths.ts";
import type { Sourced } from "../lib/sourced.ts";
import type { ContainerRuntime } from "./container-runtime.ts";
import type { CredentialProvider } from "./credential-provider.ts";
import type { Cluster } from "./cluster.ts";
import type { Identity } from "./identity.ts";
import { itemsArgument, itemsOf, keyedItem, type KeyedItem, type KeyedList, mergeItems, NODE_LABELS, TAINTS } from "./keyed-list.ts";
import type { KubeletVersion } from "./kubelet-version.ts";
import type { AddNote } from "./notes.ts";
import { type Argument, IDENTITY_FLAGS, type UserArguments } from "./user-arguments.ts";

export const CONTAINERD_ENDPOINT = `unix://${PATHS.containerdSocket}`;

const AGENT = "default";

/** What kubelet is started with, in the three variables of its unit. */
export type KubeletArguments = {
  /** KUBELET_ARGS: the agent's, in a fixed order. */
  readonly agent: readonly Argument[];
  /** KUBELET_EXTRA_ARGS: the user's, which come last and so win. */
  readonly extra: readonly Argument[];
};

export type KubeletArgumentInputs = {
  readonly version: KubeletVersion;
  readonly containerRuntime: ContainerRuntime;
  readonly cluster: Cluster;
  readonly identity: Identity;
  readonly sandboxImage: Sourced<string>;
  /** Undefined where kubelet asks the container runtime for images. */
  readonly imageServiceEndpoint: Sourced<string> | undefined;
  readonly credentialProvider: CredentialProvider | undefined;
  /** Labels of the agent's own. */
  readonly labels: readonly KeyedItem[];
  readonly user: UserArguments;
  /** Kubelet's configuration as it is written: its flags beat it. */
  readonly kubeletConfig: MergedJson;
};

export function resolveKubeletArguments(inputs: KubeletArgumentInputs, addNote: AddNote): KubeletArguments {
  const user = translate(inputs.user.arguments, inputs.version, addNote);
  noteIdentity(inputs.user, addNote);
  const rest = user.filter(({ name }) => !IDENTITY_FLAGS.has(name));
  const labels = mergeItems(NODE_LABELS, [...inputs.labels, ...itemsOf(NODE_LABELS, rest)], addNote);
  const hasLabels = rest.some(({ name }) => name === NODE_LABELS.flag);
  const extra = replaceList(NODE_LABELS, rest, labels);
  return { agent: agentArguments(inputs, hasLabels ? [] : labels), extra: withTaints(extra, inputs.kubeletConfig, addNote) };
}

/** Without a flag of the user's, the configuration's list holds as it is. */
function withTaints(args: readonly Argument[], config: MergedJson, addNote: AddNote): readonly Argument[] {
  if (!args.some(({ name }) => name === TAINTS.flag)) return args;
  return replaceList(TAINTS, args, mergeItems(TAINTS, [...taintsOfConfig(config), ...itemsOf(TAINTS, args)], addNote));
}

type AgentFlag = {
  readonly name: string;
  /** Undefined leaves the flag out. */
  readonly value: (inputs: KubeletArgumentInputs) => Sourced<string> | string | undefined;
  /** First minor with the flag, and first without. */
  readonly since?: number;
  readonly until?: number;
};

/** In the order in which they are written. */
const AGENT_FLAGS: readonly AgentFlag[] = [
  { name: "node-ip", value: ({ identity }) => identity.nodeIp },
  { name: "hostname-override", value: ({ identity }) => identity.hostnameOverride },
  { name: "v", value: ({ kubeletConfig }) => (valueAt(kubeletConfig.value, "logging.verbosity") === undefined ? "2" : undefined) },
  { name: "pod-infra-container-image", value: ({ sandboxImage }) => sandboxImage, until: 35 },
  { name: "container-runtime", value: ({ containerRuntime }) => (containerRuntime === "dockerd" ? "docker" : "remote"), until: 27 },
  { name: "container-runtime-endpoint", value: underContainerd(CONTAINERD_ENDPOINT), until: 27 },
  { name: "network-plugin", value: ({ containerRuntime }) => (containerRuntime === "dockerd" ? "cni" : undefined), until: 24 },
  { name: "image-service-endpoint", value: ({ imageServiceEndpoint }) => imageServiceEndpoint, until: 27 },
  { name: "runtime-cgroups", value: underContainerd("/runtime.slice/containerd.service") },
  { name: "image-credential-provider-config", value: ({ credentialProvider }) => (credentialProvider === undefined ? undefined : PATHS.credentialProviderConfig), since: 24 },
  { name: "image-credential-provider-bin-dir", value: ({ credentialProvider }) => credentialProvider?.binDir, since: 24 },
  { name: "config", value: ({ user }) => user.identity.get("config") ?? PATHS.kubeletConfig },
  { name: "kubeconfig", value: ({ user }) => user.identity.get("kubeconfig") ?? PATHS.kubeconfig },
  { name: "bootstrap-kubeconfig", value: ({ cluster }) => (cluster.isLocalOutpost.value ? PATHS.bootstrapKubeconfig : undefined) },
];

function underContainerd(value: string): AgentFlag["value"] {
  return ({ containerRuntime }) => (containerRuntime === "containerd" ? value : undefined);
}

function agentArguments(inputs: KubeletArgumentInputs, labels: readonly KeyedItem[]): readonly Argument[] {
  const { minor } = inputs.version;
  const flags = AGENT_FLAGS.filter(({ since = 0, until = Number.POSITIVE_INFINITY }) => minor >= since && minor < until);
  const args = flags.flatMap(({ name, value }) => agentArgument(name, value(inputs)));
  return labels.length === 0 ? args : [...args, itemsArgument(NODE_LABELS, labels)];
}

function agentArgument(name: string, value: Sourced<string> | string | undefined): readonly Argument[] {
  if (value === undefined) return [];
  return [typeof value === "string" ? { name, value, source: AGENT } : { name, ...value }];
}

/** The list's flag once, in the place of its first occurrence. */
function replaceList(list: KeyedList, args: readonly Argument[], merged: readonly KeyedItem[]): readonly Argument[] {
  const first = args.findIndex(({ name }) => name === list.flag);
  if (first === -1) return args;
  const others = (part: readonly Argument[]): readonly Argument[] => part.filter(({ name }) => name !== list.flag);
  const one = merged.length === 0 ? [] : [itemsArgument(list, merged)];
  return [...others(args.slice(0, first)), ...one, ...others(args.slice(first))];
}

/** Flags whose meaning lives on without them: dropped where kubelet would refuse them. */
const TRANSLATED = [{ name: "container-runtime", value: "remote", removedIn: 27, because: "containerd is the only runtime left" }] as const;

function translate(args: readonly Argument[], version: KubeletVersion, addNote: AddNote): readonly Argument[] {
  return args.filter((argument) => {
    const rule = TRANSLATED.find(({ name, value, removedIn }) => name === argument.name && value === argument.value && version.minor >= removedIn);
    if (rule === undefined) return true;
    addNote("flag-dropped", `The flag --${rule.name}=${rule.value} (${argument.source}) is left out: kubelet 1.${rule.removedIn} removed it, and ${rule.because}.`);
    return false;
  });
}

function noteIdentity(user: UserArguments, addNote: AddNote): void {
  for (const [name, { value, source }] of user.identity) {
    addNote("identity-flag", `The flag --${name}=${value} (${source}) takes the place of the agent's own.`);
  }
  for (const { name, value, source } of user.arguments) {
    if (!IDENTITY_FLAGS.has(name) || value !== "" || user.identity.has(name)) continue;
    addNote("identity-flag-empty", `The flag --${name} (${source}) is empty and left out: kubelet would take the host name of the operating system, by which no control plane knows the node.`);
  }
}

function taintsOfConfig(config: MergedJson): readonly KeyedItem[] {
  const taints = config.value[TAINTS_FIELD];
  if (!Array.isArray(taints)) return [];
  const source = config.sourceOf(TAINTS_FIELD) ?? "kubelet config";
  return taints.filter(isJsonObject).map((taint) => {
    return keyedItem(TAINTS, `${scalar(taint["key"])}=${scalar(taint["value"])}:${scalar(taint["effect"])}`, source);
  });
}

const TAINTS_FIELD = "registerWithTaints";

function scalar(value: JsonValue | undefined): string {
  return typeof value === "string" ? value : "";
}
