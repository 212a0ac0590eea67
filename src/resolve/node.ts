import type { EvaluateMaxPods } from "../config/max-pods-expression.ts";
import type { NodeConfig } from "../config/node-config.ts";
import { AgentError } from "../errors.ts";
import { type MergedJson, mergeJson } from "../lib/merge-json.ts";
import { PATHS } from "../lib/paths.ts";
import type { Sourced } from "../lib/sourced.ts";
import { type ApiServerAddresses, resolveApiServerAddresses } from "./api-server-addresses.ts";
import { type Authenticator, resolveAuthenticator } from "./authenticator.ts";
import { agentLabels } from "./agent-labels.ts";
import { noteBeatenFields } from "./beaten-fields.ts";
import { noteBpfFileSystem } from "./bpf-file-system.ts";
import { type Capacity, resolveCapacity } from "./capacity.ts";
import { type Cluster, resolveCluster } from "./cluster.ts";
import { type Containerd, resolveContainerd } from "./containerd.ts";
import { type ContainerRuntime, resolveContainerRuntime } from "./container-runtime.ts";
import { type CredentialProvider, resolveCredentialProvider } from "./credential-provider.ts";
import { type Environment, resolveEnvironment } from "./environment.ts";
import { type Docker, resolveDocker } from "./docker.ts";
import type { Facts, HostFacts, InstanceFacts } from "./facts.ts";
import { imageServiceEndpoint } from "./fast-image-pull.ts";
import { type Healthz, resolveHealthz } from "./healthz.ts";
import { type Identity, resolveIdentity } from "./identity.ts";
import { resolveImageConfig } from "./image-config.ts";
import { type KubeletArguments, resolveKubeletArguments } from "./kubelet-arguments.ts";
import { resolveKubeletConfig } from "./kubelet-config.ts";
import { type KubeletVersion, resolveKubeletVersion } from "./kubelet-version.ts";
import { type LocalDisks, resolveLocalDisks } from "./local-disks.ts";
import { type NameResolution, resolveNameResolution } from "./name-resolution.ts";
import { type AddNote, type Note, noteList } from "./notes.ts";
import { resolveSandboxImage } from "./sandbox-image.ts";
import { parseUserArguments } from "./user-arguments.ts";

/** Everything decided, with nothing left for a renderer to default. Every value carries its source. */
export type Node = {
  readonly instance: InstanceFacts;
  readonly host: HostFacts;
  readonly version: Sourced<KubeletVersion>;
  readonly cluster: Cluster;
  /** Undefined unless they must be known without a name server. */
  readonly apiServerAddresses: Sourced<ApiServerAddresses> | undefined;
  readonly identity: Identity;
  readonly capacity: Capacity;
  readonly sandboxImage: Sourced<string>;
  readonly credentialProvider: CredentialProvider | undefined;
  readonly authenticator: Sourced<Authenticator>;
  readonly containerRuntime: Sourced<ContainerRuntime>;
  /** What there is of containerd; none of it is written under Docker. */
  readonly containerd: Containerd;
  /** Undefined under containerd. */
  readonly docker: Docker | undefined;
  /** The KubeletConfiguration as kubelet reads it; flags may still beat fields of it. */
  readonly kubeletConfig: MergedJson;
  readonly arguments: KubeletArguments;
  readonly healthz: Healthz;
  readonly environment: Environment;
  readonly nameResolution: NameResolution;
  /** Undefined where nothing becomes of the instance store, or there is none. */
  readonly localDisks: LocalDisks | undefined;
  readonly notes: readonly Note[];
};

/**
 * @param facts with every answer that `factsNeeded` asks for
 * @param evaluateMaxPods needed where the config has an expression for maxPods
 * @throws AgentError when something that the node needs cannot be decided
 */
export function resolveNode(config: NodeConfig, facts: Facts, evaluateMaxPods?: EvaluateMaxPods): Node {
  const { notes, add } = noteList();
  const world = { instance: known(facts.instance, "IMDS"), host: known(facts.host, "the host") };
  const version = resolveKubeletVersion(known(facts.kubeletVersion, "kubelet"), add);
  const containerRuntime = resolveContainerRuntime(config, version.value, add);
  const user = parseUserArguments(config.kubelet.flags);
  const cluster = resolveCluster(config, facts, clusterName(config), add);
  const imageConfig = resolveImageConfig(world.host, add);
  const identity = resolveIdentity({ config, facts, ...world, cluster, version: version.value, user }, add);
  const capacity = resolveCapacity({ config, facts, ...world, user, imageConfig, evaluateMaxPods }, add);
  const credentialProvider = resolveCredentialProvider(config, world.host, version.value, add);
  const agentsImage = resolveSandboxImage(config.image, facts, world.host, world.instance, add);
  const containerd = resolveContainerd({ config, facts, host: world.host, version: version.value, sandboxImage: agentsImage }, containerRuntime.value === "containerd" ? add : () => undefined);
  const { sandboxImage } = containerd;
  const decided = { version: version.value, containerRuntime: containerRuntime.value, cluster, identity, user, imageServiceEndpoint: containerRuntime.value === "containerd" ? imageServiceEndpoint(containerd.snapshotter) : undefined };
  const userConfig = config.kubelet.config;
  const kubeletConfig = resolveKubeletConfig({ ...decided, ...capacity, ...world, userConfig, imageConfig }, add);
  const labels = agentLabels({ config, facts, ...world, version: version.value });
  const kubeletArguments = resolveKubeletArguments({ ...decided, sandboxImage, credentialProvider, labels, kubeletConfig }, add);
  noteBeatenFields(kubeletArguments.extra, mergeJson(userConfig), add);
  noteGpuScript(world.host, add);
  noteBpfFileSystem(config, world.host, add);
  return {
    ...world,
    version,
    cluster,
    apiServerAddresses: resolveApiServerAddresses(cluster, facts, world.instance),
    identity,
    capacity,
    sandboxImage,
    credentialProvider,
    authenticator: resolveAuthenticator(config, world.host, cluster, world.instance.region),
    containerRuntime,
    containerd,
    docker: resolveDocker(config, containerRuntime.value, world.host),
    kubeletConfig,
    arguments: kubeletArguments,
    healthz: resolveHealthz(kubeletArguments.extra, kubeletConfig),
    environment: resolveEnvironment(config, cluster, facts, add),
    nameResolution: resolveNameResolution(config.instance, world.host, add),
    localDisks: resolveLocalDisks(config, facts, { containerRuntime: containerRuntime.value, snapshotter: containerd.snapshotter.value }, add),
    notes,
  };
}

/** The name is the one thing that nobody can be asked for. */
function clusterName(config: NodeConfig): Sourced<string> {
  if (config.cluster.name !== undefined) return config.cluster.name;
  throw new AgentError("config-invalid", "Cannot join a cluster without its name: no source of configuration gives one", {
    remedy: "Name the cluster on the command line, as in `eks-node-agent bootstrap my-cluster`.",
  });
}

function known<T>(fact: T | undefined, of: string): T {
  if (fact === undefined) throw new Error(`a node was resolved before the facts of ${of} were gathered`);
  return fact;
}

function noteGpuScript(host: HostFacts, addNote: AddNote): void {
  if (!host.present.includes(PATHS.gpuScript)) return;
  addNote("gpu-script-not-run", `The image's ${PATHS.gpuScript} was not run: the agent sets up the NVIDIA runtime itself. Run it from user data if it does more.`);
}
