import { EMPTY_NODE_CONFIG, type NodeConfig } from "./node-config.ts";

/** One config for all layers, the strongest last. What a layer does not name, it leaves as it is. */
export function mergeNodeConfigs(layers: readonly NodeConfig[]): NodeConfig {
  return layers.reduce((earlier, later) => mergeTwo(earlier, later), EMPTY_NODE_CONFIG);
}

type Rule<Value> = (earlier: Value, later: Value) => Value;
type Rules<Section> = { readonly [Field in keyof Section]-?: Rule<Section[Field]> };

/** How a field that both layers name is merged. A new field does not compile without its rule. */
const RULES: { readonly [Section in keyof NodeConfig]: Rules<NodeConfig[Section]> } = {
  cluster: {
    name: replace,
    apiServerEndpoint: replace,
    certificateAuthority: replace,
    // As a whole: a layer that names one family must not be joined by another layer's other family.
    serviceCidrs: replace,
    ipFamily: replace,
    dnsAddresses: replace,
    outpost: replace,
    id: replace,
  },
  kubelet: {
    config: append,
    flags: append,
    maxPodsExpression: replace,
    useMaxPods: replace,
    nodeName: replace,
    nodeNameSource: replace,
    reserveFor: replace,
    authenticator: replace,
    credentialProvider: replace,
    eksctlLabels: replace,
  },
  containerd: { config: append, baseRuntimeSpec: append, configFile: replace },
  instance: {
    localDisks: replace,
    localDisksMountPath: replace,
    disabledMounts: replace,
    environment: mergeEnvironments,
    nameservers: replace,
    domains: replace,
    mountBpfFs: replace,
  },
  image: { reference: replace, account: replace, version: replace },
  docker: { runtime: replace, configJson: replace, enableBridge: replace },
  features: { fastImagePull: replace },
};

function mergeTwo(earlier: NodeConfig, later: NodeConfig): NodeConfig {
  return {
    cluster: mergeSection(RULES.cluster, earlier.cluster, later.cluster),
    kubelet: mergeSection(RULES.kubelet, earlier.kubelet, later.kubelet),
    containerd: mergeSection(RULES.containerd, earlier.containerd, later.containerd),
    instance: mergeSection(RULES.instance, earlier.instance, later.instance),
    image: mergeSection(RULES.image, earlier.image, later.image),
    docker: mergeSection(RULES.docker, earlier.docker, later.docker),
    features: mergeSection(RULES.features, earlier.features, later.features),
  };
}

function mergeSection<Section extends object>(rules: Rules<Section>, earlier: Section, later: Section): Section {
  const merged = { ...earlier, ...later };
  for (const field in rules) {
    if (field in earlier && field in later) merged[field] = rules[field](earlier[field], later[field]);
  }
  return merged;
}

function replace<Value>(_earlier: Value, later: Value): Value {
  return later;
}

function append<Item>(earlier: readonly Item[], later: readonly Item[]): readonly Item[] {
  return [...earlier, ...later];
}

type Environments = NodeConfig["instance"]["environment"];

/** Variable by variable, service by service. */
function mergeEnvironments(earlier: Environments, later: Environments): Environments {
  const services = Object.keys({ ...earlier, ...later });
  return Object.fromEntries(services.map((service) => [service, { ...earlier[service], ...later[service] }]));
}
