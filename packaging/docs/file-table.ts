import { LAST_RUN_PATH } from "../../src/cli/last-run-file.ts";
import { PATHS } from "../../src/lib/paths.ts";

export type FileRow = {
  readonly path: string;
  /** What is in it: a phrase. */
  readonly content: string;
  /** What decides on it. */
  readonly from: string;
  /** When it is written, if not always. */
  readonly when?: string;
  readonly mode: number;
  /** The unit whose program reads it, so that it is restarted when the file changes. */
  readonly readBy: string;
};

const KUBELET = { mode: 0o644, readBy: "kubelet.service" } as const;
const CONTAINERD = { mode: 0o644, readBy: "containerd.service" } as const;
const SYSTEMD = { mode: 0o644, readBy: "systemd" } as const;
const OWN = { readBy: "the agent" } as const;

/** Stands for the name of any service in a path. */
export const ANY_SERVICE = "NAME";

/** Every path that the agent writes. Tests compare it with what runs write. */
export const WRITTEN: readonly FileRow[] = [
  { path: PATHS.certificateAuthority, ...KUBELET, content: "the cluster's certificate authority, byte for byte", from: "`--b64-cluster-ca`, `spec.cluster.certificateAuthority`, or DescribeCluster" },
  { path: PATHS.kubeconfig, ...KUBELET, content: "how kubelet reaches the API server, and the program that gets its credentials", from: "the endpoint; `--authenticator`", when: "not in local clusters on Outposts" },
  { path: PATHS.bootstrapKubeconfig, ...KUBELET, content: "the same, from which kubelet makes its own kubeconfig when its certificate is signed", from: "the endpoint; the cluster's id", when: "in local clusters on Outposts" },
  { path: PATHS.kubeletConfig, ...KUBELET, content: "KubeletConfiguration", from: "the agent's defaults, then the image's own file, computed values, `spec.kubelet.config`, `--kubelet-config-file`" },
  { path: PATHS.credentialProviderConfig, ...KUBELET, content: "which images kubelet asks the ECR credential provider for", from: "kubelet's version; `ECR_CREDENTIAL_PROVIDER_BIN_PATH`", when: "if the program is there" },
  { path: PATHS.kubeletUnit, ...KUBELET, content: "kubelet's unit", from: "fixed; `ExecStartPre=` only if iptables is there" },
  { path: PATHS.kubeletArgs, ...KUBELET, content: "`KUBELET_ARGS`: the flags that the agent decides", from: "node IP and name, sandbox image, labels, kubelet's version" },
  { path: PATHS.kubeletCloudProvider, ...KUBELET, content: "`KUBELET_CLOUD_PROVIDER`: external, or aws below 1.26", from: "kubelet's version; `--cloud-provider` of the user" },
  { path: PATHS.kubeletExtraArgs, ...KUBELET, content: "`KUBELET_EXTRA_ARGS`: the user's flags, which come last", from: "`--kubelet-extra-args`, `KUBELET_EXTRA_ARGS`, `spec.kubelet.flags`", when: "if there are any" },
  { path: PATHS.containerdSlice, ...CONTAINERD, content: "containerd in runtime.slice", from: "fixed", when: "unless the image's unit says so itself" },
  { path: PATHS.dockerConfig, readBy: "docker.service", mode: 0o644, content: "Docker's configuration; mode 0600 where it is the option's", from: "`--docker-config-json`, `--enable-docker-bridge`; the image's own file is kept as a layer", when: "under dockerd" },
  { path: PATHS.iptablesRestoreUnit, ...SYSTEMD, content: "the unit that puts back the packet filter's rules of before Docker", from: "fixed", when: "under dockerd, if iptables is there" },
  { path: PATHS.sandboxImageUnit, ...SYSTEMD, content: "the unit that pulls and pins the sandbox image", from: "the sandbox image", when: "unless the image brings that itself" },
  { path: PATHS.hosts, ...SYSTEMD, content: "some lines of it: the API server's addresses; the rest stays as it is", from: "DNS", when: "in local clusters on Outposts" },
  { path: PATHS.containerdConfig, ...CONTAINERD, content: "containerd's configuration, version 2 or 3", from: "containerd's version, the sandbox image, `spec.containerd.config`; or `--containerd-config-file`, or the image's own file, whole" },
  { path: PATHS.containerdBaseSpec, ...CONTAINERD, content: "the OCI spec that containers start from", from: "fixed; `spec.containerd.baseRuntimeSpec`" },
  { path: PATHS.containerdSoci, ...CONTAINERD, content: "containerd after the SOCI snapshotter, and the import of the image's sandbox image into it", from: "`spec.featureGates.FastImagePull`", when: "with the SOCI snapshotter" },
  { path: PATHS.sociConfig, mode: 0o644, readBy: "soci-snapshotter.service", content: "the SOCI snapshotter's configuration", from: "fixed", when: "with the SOCI snapshotter" },
  { path: PATHS.sandboxImageUnit, mode: 0o644, readBy: "sandbox-image.service", content: "pulls and pins the sandbox image, with ECR's credentials", from: "the sandbox image: region, `--pause-container-account`, `--pause-container-version`, `PAUSE_CONTAINER_IMAGE`", when: "unless the image brings it" },
  { path: PATHS.systemEnvironment, mode: 0o600, readBy: "systemd; containerd.service, kubelet.service", content: "variables of all services; shown as `<redacted>`", from: "`spec.instance.environment.default`", when: "if there are any" },
  { path: `/etc/systemd/system/${ANY_SERVICE}.service.d/50-eks-environment.conf`, mode: 0o600, readBy: "that service", content: "its variables; shown as `<redacted>`", from: "`spec.instance.environment`", when: "if there are any" },
  { path: `/etc/systemd/system/${ANY_SERVICE}.mount`, ...SYSTEMD, content: "where a file system of the local disks is mounted, and which directories lie on it", from: "`--local-disks`, `spec.instance.localStorage`; the disks of the instance store", when: "with local disks" },
  { path: `/etc/systemd/system/${ANY_SERVICE}.service.d/05-local-disks.conf`, ...SYSTEMD, content: "kubelet, containerd and the SOCI snapshotter not without their directories on the local disks", from: "the same", when: "with local disks in an array" },
  { path: PATHS.resolvedConfig, mode: 0o644, readBy: "systemd-resolved.service", content: "name servers and search domains", from: "`spec.instance.network`", when: "if there are any" },
  { path: PATHS.hosts, mode: 0o644, readBy: "everybody", content: "a marked block with the addresses of the API server; the rest of the file is left as it is", from: "the endpoint, resolved", when: "in local clusters on Outposts" },
  { path: PATHS.manifest, ...OWN, mode: 0o600, content: "what the agent wrote, what units were started with, and the command line that a run after a reboot repeats", from: "every run" },
  { path: PATHS.imageKubeletConfig, ...OWN, mode: 0o644, content: "the KubeletConfiguration that the image came with, kept as a layer", from: "the first run" },
  { path: PATHS.imageDockerConfig, ...OWN, mode: 0o644, content: "Docker's configuration that the image came with, kept as a layer", from: "the first run under dockerd" },
  { path: LAST_RUN_PATH, ...OWN, mode: 0o640, content: "the record of the last run, for `report`", from: "every run that is no dry run" },
  { path: PATHS.lock, ...OWN, mode: 0o600, content: "the lock that lets one run at a time work", from: "every run that is no dry run" },
];

/** What it reads by itself, where it is there; a file that an option names comes on top. */
export const READ: readonly (readonly [path: string, what: string])[] = [
  [PATHS.nodeadmDropIns, "NodeConfig documents, by name; after those of user data"],
  [PATHS.agentDropIns, "NodeConfig documents, by name; after nodeadm's"],
  [PATHS.eksctlKubeletEnv, "eksctl's variables"],
  [PATHS.eksctlKubeletExtra, "eksctl's fields of the KubeletConfiguration"],
  [PATHS.imageContainerdConfig, "used instead of the agent's containerd configuration, with `SANDBOX_IMAGE` in it replaced"],
  [PATHS.eniMaxPods, "the image's table of max pods, which beats the built-in one"],
  ["/etc/eks/kubelet-version.txt", "kubelet's version, if not older than the program"],
  ["/etc/eks/containerd-version.txt", "containerd's version, if not older than the program"],
  [PATHS.pauseArchive, "if it is there, the sandbox image is the cached `localhost/kubernetes/pause`"],
  [PATHS.gpuScript, "only whether it is there: it is not run, and a note says so"],
  [PATHS.credentialProvider, "the ECR credential provider; only whether it is there"],
];
