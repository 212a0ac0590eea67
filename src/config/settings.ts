import { type Sourced, sourced } from "../lib/sourced.ts";
import { EMPTY_NODE_CONFIG, type NodeConfig } from "./node-config.ts";
import { matching, oneOf, parseAddresses, parseBoolean, parseCa, parseEndpoint, parseOutpostId, quote, type Parser } from "./setting-values.ts";
import type { ConfigNote, Problem } from "./problems.ts";

/** One thing that bootstrap.sh could be told, by option, by variable or by either. */
export type Setting = {
  /** Without dashes. */
  readonly option: string | undefined;
  readonly variable: string;
  readonly read: (given: Sourced<string>) => Reading<NodeConfig>;
};

export type Reading<Value> = { readonly value: Value; readonly notes: readonly ConfigNote[] } | { readonly problem: Problem };

/** A value with its source, or the problem on its source. */
export function readValue<Value>(parse: Parser<Value>, given: Sourced<string>): Reading<Sourced<Value>> {
  const parsed = parse(given.value);
  if ("fault" in parsed) return { problem: { source: given.source, message: `Cannot use ${quote(given.value)}: ${parsed.fault}.` } };
  const notes = parsed.note === undefined ? [] : [{ code: parsed.note.code, message: `${subject(given.source)} ${parsed.note.message}.` }];
  return { value: sourced(parsed.value, given.source), notes };
}

/** "Option --x", to begin a sentence with. */
export function subject(source: string): string {
  return source.charAt(0).toUpperCase() + source.slice(1);
}

/** Some values of some sections. */
export type Part = { readonly [Section in keyof NodeConfig]?: Partial<NodeConfig[Section]> };

function setting<Value>(option: string | undefined, variable: string, parse: Parser<Value>, place: (value: Sourced<Value>) => Part): Setting {
  const read = (given: Sourced<string>): Reading<NodeConfig> => {
    const reading = readValue(parse, given);
    return "problem" in reading ? reading : { value: configOf(place(reading.value)), notes: reading.notes };
  };
  return { option, variable, read };
}

/** A config in which only `part` is asked for. */
export function configOf(part: Part): NodeConfig {
  return {
    cluster: { ...part.cluster },
    kubelet: { ...EMPTY_NODE_CONFIG.kubelet, ...part.kubelet },
    containerd: { ...EMPTY_NODE_CONFIG.containerd, ...part.containerd },
    instance: { ...EMPTY_NODE_CONFIG.instance, ...part.instance },
    image: { ...part.image },
    docker: { ...part.docker },
    features: { ...part.features },
  };
}

const asIs: Parser<string> = (text) => ({ value: text });
const absolutePath = matching(/^\//, "an absolute path");

/** Those with a value of their own; service blocks and kubelet's flags have more than one source. */
export const SETTINGS: readonly Setting[] = [
  setting("apiserver-endpoint", "APISERVER_ENDPOINT", parseEndpoint, (apiServerEndpoint) => ({ cluster: { apiServerEndpoint } })),
  setting("b64-cluster-ca", "B64_CLUSTER_CA", parseCa, (certificateAuthority) => ({ cluster: { certificateAuthority } })),
  setting("cluster-id", "CLUSTER_ID", parseOutpostId, (id) => ({ cluster: { id } })),
  setting("dns-cluster-ip", "DNS_CLUSTER_IP", parseAddresses, (dnsAddresses) => ({ cluster: { dnsAddresses } })),
  setting("ip-family", "IP_FAMILY", oneOf("ipv4", "ipv6"), (ipFamily) => ({ cluster: { ipFamily } })),
  setting("enable-local-outpost", "ENABLE_LOCAL_OUTPOST", parseBoolean, (outpost) => ({ cluster: { outpost } })),
  setting("use-max-pods", "USE_MAX_PODS", parseBoolean, (useMaxPods) => ({ kubelet: { useMaxPods } })),
  setting("container-runtime", "CONTAINER_RUNTIME", oneOf("containerd", "dockerd"), (runtime) => ({ docker: { runtime } })),
  setting("pause-container-account", "PAUSE_CONTAINER_ACCOUNT", matching(/^\d{12}$/, "an AWS account of 12 digits"), (account) => ({ image: { account } })),
  setting("pause-container-version", "PAUSE_CONTAINER_VERSION", matching(/^\w[\w.-]{0,127}$/, 'an image tag, such as "3.5"'), (version) => ({ image: { version } })),
  setting(undefined, "PAUSE_CONTAINER_IMAGE", matching(/^[A-Za-z0-9[][\w.:/@[\]-]*$/, "a reference to an image"), (reference) => ({ image: { reference } })),
  setting("local-disks", "LOCAL_DISKS", oneOf("mount", "raid0", "raid10", "none"), (localDisks) => ({ instance: { localDisks } })),
  setting("mount-bpf-fs", "MOUNT_BPF_FS", parseBoolean, (mountBpfFs) => ({ instance: { mountBpfFs } })),
  setting("docker-config-json", "DOCKER_CONFIG_JSON", asIs, (configJson) => ({ docker: { configJson } })),
  setting("enable-docker-bridge", "ENABLE_DOCKER_BRIDGE", parseBoolean, (enableBridge) => ({ docker: { enableBridge } })),
  setting(undefined, "ECR_CREDENTIAL_PROVIDER_BIN_PATH", absolutePath, (credentialProvider) => ({ kubelet: { credentialProvider } })),
];
