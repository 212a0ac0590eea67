import { cidrFamily, parseAddress } from "../lib/ip.ts";
import { PATHS } from "../lib/paths.ts";
import type { Sourced } from "../lib/sourced.ts";
import type { CommandLineConfig } from "./flags-to-config.ts";
import { OVERRIDES } from "./gather-overrides.ts";
import type { Loss } from "./loss.ts";
import type { NodeConfig } from "./node-config.ts";
import { subject } from "./settings.ts";

/** What a config asks for and a NodeConfig has no field for. What is so by default is no loss. */
export function unsayable(config: NodeConfig): readonly Loss[] {
  return RULES.flatMap(({ asked, instead }) => {
    const value = asked(config);
    return value === undefined ? [] : [{ what: `${value.source} ${JSON.stringify(value.value)}`, instead }];
  });
}

type Rule = {
  /** What is asked for; undefined where nothing is lost. */
  readonly asked: (config: NodeConfig) => Sourced<string | boolean> | undefined;
  readonly instead: string;
};

const CONTAINERD_FILE = `NodeConfig has no field for it. Put the file into the image as ${PATHS.imageContainerdConfig}, or write what is different into spec.containerd.config.`;

const PAUSE = 'NodeConfig has no field for the sandbox image. Name the whole image in spec.containerd.config, as sandbox_image of [plugins."io.containerd.grpc.v1.cri"].';

const DOCKER = "NodeConfig has no field for dockerd's settings. From Kubernetes 1.24 on, where containerd is the only runtime, they are without effect: leave them out.";

const RULES: readonly Rule[] = [
  { asked: familyThatIsNotGiven, instead: "NodeConfig tells the family by spec.cluster.cidr alone. Give the block of services there, as `aws eks describe-cluster` shows it." },
  { asked: ({ image }) => image.reference, instead: PAUSE },
  { asked: ({ image }) => image.account, instead: PAUSE },
  { asked: ({ image: { version } }) => unless(version, "3.5"), instead: PAUSE },
  { asked: ({ kubelet }) => unless(kubelet.nodeNameSource, "ec2"), instead: "NodeConfig has no field for it. Give the option to eks-node-agent, or let it ask EC2 for the node's name, which takes ec2:DescribeInstances." },
  { asked: ({ kubelet }) => unless(kubelet.reserveFor, "peers"), instead: "NodeConfig has no field for it. Give the option to eks-node-agent, or leave what is reserved as it is on other nodes." },
  { asked: ({ kubelet }) => unless(kubelet.authenticator, "auto"), instead: "NodeConfig has no field for it. Give the option to eks-node-agent, or leave the choice to it." },
  { asked: ({ kubelet }) => unless(kubelet.credentialProvider, PATHS.credentialProvider), instead: "NodeConfig has no field for it. Set the variable in a drop-in of eks-node-agent.service, or put the program, or a link to it, to the usual place." },
  {
    asked: ({ kubelet: { eksctlLabels: labels } }) => (labels?.value === true ? { value: "node-lifecycle, alpha.eksctl.io/instance-id", source: `eksctl's labels (${labels.source}):` } : undefined),
    instead: `These labels differ from instance to instance. To keep them, leave ${PATHS.eksctlKubeletEnv} in its place, if only with the line CLUSTER_NAME: by that file the agent knows that they are wanted.`,
  },
  { asked: ({ instance }) => unless(instance.mountBpfFs, true), instead: "NodeConfig has no field for it. All that comes of it is a note where /sys/fs/bpf is not mounted." },
  { asked: ({ docker: { runtime } }) => (runtime?.value === "dockerd" ? runtime : undefined), instead: "NodeConfig has no field for the runtime. Below Kubernetes 1.24 it is dockerd without being asked for, and from there on there is only containerd." },
  { asked: ({ docker: { runtime, configJson } }) => (runtime?.value === "containerd" || configJson === undefined ? undefined : { value: "…", source: configJson.source }), instead: DOCKER },
  { asked: ({ docker: { runtime, enableBridge } }) => (runtime?.value === "containerd" ? undefined : unless(enableBridge, false)), instead: DOCKER },
];

function unless<Value extends string | boolean>(asked: Sourced<Value> | undefined, standard: Value): Sourced<Value> | undefined {
  return asked?.value === standard ? undefined : asked;
}

/** Without a block, the family of the cluster holds where it must be asked for, and IPv4 where not. */
function familyThatIsNotGiven({ cluster }: NodeConfig): Sourced<string> | undefined {
  const { ipFamily, serviceCidrs = [], dnsAddresses, apiServerEndpoint, certificateAuthority } = cluster;
  if (ipFamily === undefined || serviceCidrs.some(({ value }) => cidrFamily(value) === ipFamily.value)) return undefined;
  const isDerivable = dnsAddresses?.value.some((address) => parseAddress(address)?.family === "ipv6") === true;
  const isStandard = apiServerEndpoint !== undefined && certificateAuthority !== undefined;
  return (ipFamily.value === "ipv6" ? isDerivable : isStandard) ? undefined : ipFamily;
}

const ASKING = "NodeConfig has no field for how AWS is asked. The agent asks until its --deadline, 10 minutes, which an option to it can change.";

/** What is carried over for the nodes that there are today, and not for those of long ago. */
export function remarksOn({ docker: { runtime } }: NodeConfig): readonly string[] {
  if (runtime?.value !== "containerd") return [];
  return [`${subject(runtime.source)} is carried over for kubelet 1.24 and later, where containerd is the only runtime. Below, a node of a NodeConfig runs dockerd.`];
}

/** What a command line asks for beside the config itself. */
export function unsayableOfCommandLine({ gatherOverrides, containerdConfigFile }: CommandLineConfig): readonly Loss[] {
  const file = containerdConfigFile === undefined ? [] : [{ what: `${containerdConfigFile.source} ${JSON.stringify(containerdConfigFile.value)}`, instead: CONTAINERD_FILE }];
  const asking = OVERRIDES.filter(({ key }) => gatherOverrides[key] !== undefined);
  return [...file, ...asking.map(({ key, option, variable }) => ({ what: `${option === undefined ? `environment ${variable}` : `option --${option}`} ${JSON.stringify(gatherOverrides[key])}`, instead: ASKING }))];
}
