/**
 * Everything that can be said on the command line, once: the parser, the help, the completions and the manual are made
 * from these tables.
 */
export type CommandName = (typeof COMMANDS)[number]["name"];

export const COMMANDS = [
  { name: "bootstrap", takes: "[CLUSTER]", does: "Configure this node and start it (the default command)" },
  { name: "facts", takes: "[CLUSTER]", does: "Print what is known of this instance and its cluster, as JSON" },
  { name: "check", takes: "[FILE]...", does: "Check NodeConfig documents: those of a run here, or files, without a node" },
  { name: "report", takes: "[FILE]", does: "Show the last run: what it did, when, and how it ended" },
  { name: "migrate", takes: "[-- WORD...]", does: "Print a NodeConfig that does what bootstrap.sh's words, old user data or eksctl's files do; exit 2 if not all" },
  { name: "token", takes: "", does: "Print a token for the cluster, as kubelet's kubeconfig asks for it" },
  { name: "imds", takes: "token|PATH", does: "Print a value of the instance metadata, as the program imds of AL2 does" },
  { name: "max-pods", takes: "", does: "Print how many pods an instance type can run, as max-pods-calculator.sh does" },
  { name: "pull-sandbox-image", takes: "IMAGE", does: "Pull and pin the sandbox image, as sandbox-image.service does" },
  { name: "completion", takes: "bash|zsh|fish", does: "Print the script that completes command lines in a shell" },
] as const;

export type Option = {
  readonly name: OptionName;
  /** Stands for the value in the help. An option without one is a switch and takes no value. */
  readonly placeholder?: string;
  /** A sentence without its full stop, to be wrapped. */
  readonly does: string;
  readonly group: "bootstrap.sh" | "agent";
  /** The only values there are. */
  readonly choices?: readonly string[];
  /** What holds when it is not given, for the help. */
  readonly standard?: string;
  /** Environment variable that says the same. */
  readonly variable?: string;
  /** Given again, it adds instead of replacing. */
  readonly collects?: true;
  /** A path, relative to the working directory. */
  readonly isPath?: true;
  /**
   * What it is about: the node, so that the manifest records it; how strictly all runs on this node judge, which is recorded
   * beside the former; or this run alone.
   */
  readonly about: "node" | "judgement" | "run";
  readonly commands: readonly CommandName[];
};

const EVERY: readonly CommandName[] = COMMANDS.map(({ name }) => name);
const ALL: readonly CommandName[] = ["bootstrap", "facts"];
const BOOTSTRAP: readonly CommandName[] = ["bootstrap"];
const NODE = { about: "node", commands: ALL } as const;
const SCRIPT = { group: "bootstrap.sh", ...NODE } as const;
const AGENT = { group: "agent", ...NODE } as const;
const RUN = { group: "agent", about: "run", commands: BOOTSTRAP } as const;

const MIGRATE = { group: "agent", about: "run", commands: ["migrate"] } as const;
const TOKEN = { group: "agent", about: "run", commands: ["token"] } as const;
const MAX_PODS = { group: "agent", about: "run", commands: ["max-pods"] } as const;

/** How a run can be shown. */
export const REPORT_FORMATS = ["text", "json", "svg"] as const;

const TRUE_OR_FALSE = ["true", "false"] as const;

/** The shells that `completion` knows. */
export const SHELLS = ["bash", "zsh", "fish"] as const;

/** The only values of the agent's options that do not take any. */
export const CHOICES = {
  output: ["text", "json"],
  "node-name": ["private-dns", "instance-id"],
  "node-name-source": ["ec2", "imds-if-canonical"],
  "reserve-for": ["peers", "effective"],
  authenticator: ["auto", "aws-iam-authenticator", "aws", "agent"],
  preflight: ["error", "warn"],
  wait: ["none", "active", "healthy"],
  "log-level": ["debug", "info", "warn", "error"],
} as const;

const OPTION_TABLE = [
  { ...SCRIPT, name: "apiserver-endpoint", placeholder: "URL", variable: "APISERVER_ENDPOINT", does: "Address of the API server. With the CA given as well, the EKS API is not asked" },
  { ...SCRIPT, name: "b64-cluster-ca", placeholder: "BASE64", variable: "B64_CLUSTER_CA", does: "The cluster's certificate authority: PEM, in base64" },
  { ...SCRIPT, name: "cluster-id", placeholder: "ID", variable: "CLUSTER_ID", does: "Id of a local cluster on Outposts" },
  { ...SCRIPT, name: "dns-cluster-ip", placeholder: "IP[,IP]", variable: "DNS_CLUSTER_IP", does: "Addresses that pods ask for names, instead of the tenth of the services' block" },
  { ...SCRIPT, name: "ip-family", placeholder: "FAMILY", variable: "IP_FAMILY", does: "Family of the pods' addresses: ipv4 or ipv6", standard: "by the CIDR or the cluster" },
  { ...SCRIPT, name: "service-ipv4-cidr", placeholder: "CIDR", variable: "SERVICE_IPV4_CIDR", does: "The services' IPv4 block" },
  { ...SCRIPT, name: "service-ipv6-cidr", placeholder: "CIDR", variable: "SERVICE_IPV6_CIDR", does: "The services' IPv6 block" },
  { ...SCRIPT, name: "enable-local-outpost", placeholder: "BOOL", variable: "ENABLE_LOCAL_OUTPOST", choices: TRUE_OR_FALSE, does: "Whether this is a local cluster on Outposts", standard: "as the cluster says" },
  { ...SCRIPT, name: "kubelet-extra-args", placeholder: "ARGS", variable: "KUBELET_EXTRA_ARGS", does: "Flags for kubelet, as one word. They come after those of the variable" },
  { ...SCRIPT, name: "use-max-pods", placeholder: "BOOL", variable: "USE_MAX_PODS", choices: TRUE_OR_FALSE, does: "Whether to limit pods to the addresses of the instance type", standard: "true" },
  { ...SCRIPT, name: "aws-api-retry-attempts", placeholder: "N", variable: "API_RETRY_ATTEMPTS", does: "Tries of the EKS API after the first", standard: "until --deadline" },
  { ...SCRIPT, name: "container-runtime", placeholder: "NAME", variable: "CONTAINER_RUNTIME", does: "containerd, or below kubelet 1.24 dockerd", standard: "containerd, below 1.24 dockerd" },
  { ...SCRIPT, name: "containerd-config-file", placeholder: "FILE", variable: "CONTAINERD_CONFIG_FILE", isPath: true, does: "containerd's configuration, used instead of the agent's. SANDBOX_IMAGE in it is replaced" },
  { ...SCRIPT, name: "pause-container-account", placeholder: "ACCOUNT", variable: "PAUSE_CONTAINER_ACCOUNT", does: "AWS account that the pause image is pulled from", standard: "by region" },
  { ...SCRIPT, name: "pause-container-version", placeholder: "TAG", variable: "PAUSE_CONTAINER_VERSION", does: "Tag of the pause image", standard: "3.5" },
  { ...SCRIPT, name: "local-disks", placeholder: "HOW", variable: "LOCAL_DISKS", does: "Use of the instance store's disks: mount, raid0, raid10 or none", standard: "none" },
  { ...SCRIPT, name: "mount-bpf-fs", placeholder: "BOOL", variable: "MOUNT_BPF_FS", choices: TRUE_OR_FALSE, does: "Whether the BPF file system is wanted at /sys/fs/bpf: systemd mounts it, and a note says where it is missing", standard: "true" },
  { ...SCRIPT, name: "docker-config-json", placeholder: "JSON", variable: "DOCKER_CONFIG_JSON", does: "Docker's configuration; ignored under containerd" },
  { ...SCRIPT, name: "enable-docker-bridge", placeholder: "BOOL", variable: "ENABLE_DOCKER_BRIDGE", choices: TRUE_OR_FALSE, does: "Docker's bridge network; ignored under containerd", standard: "false" },

  { ...RUN, name: "dry-run", does: "Show what would be written and started, and do nothing" },
  { ...RUN, name: "explain", does: "Show every value with its source" },
  { ...RUN, commands: ["bootstrap", "check"], name: "output", placeholder: "FORMAT", choices: CHOICES.output, does: "text or json", standard: "text" },
  { ...RUN, commands: ["report"], name: "output", placeholder: "FORMAT", choices: REPORT_FORMATS, does: "text, json, or svg: a drawing on a time axis", standard: "text" },
  { ...RUN, name: "detailed-exit-code", does: "With --dry-run: exit 2 if something would change" },
  { ...RUN, name: "facts", placeholder: "FILE", isPath: true, does: "With --dry-run: facts from this file instead of this machine" },
  { ...AGENT, commands: [...ALL, "check"], name: "config-source", placeholder: "URL", collects: true, does: "NodeConfig documents: imds://user-data, or file:// with the path of a file or folder. Can be repeated; later ones win", standard: "imds://user-data, then /etc/eks/nodeadm.d and /etc/eks/node-agent.d" },
  { ...AGENT, name: "kubelet-config-file", placeholder: "FILE", isPath: true, does: "KubeletConfiguration in JSON or YAML, merged over everything else" },
  { ...AGENT, name: "node-name", placeholder: "KIND", choices: CHOICES["node-name"], does: "What the node is called: private-dns or instance-id", standard: "private-dns" },
  { ...AGENT, name: "node-name-source", placeholder: "WHERE", choices: CHOICES["node-name-source"], does: "Where its private DNS name is from: ec2, or imds-if-canonical, which asks EC2 only where IMDS tells none of the names that EC2 gives by itself; iam.md tells the risk", standard: "ec2" },
  { ...AGENT, name: "reserve-for", placeholder: "COUNT", choices: CHOICES["reserve-for"], does: "Pods that memory is reserved for: peers, as bootstrap.sh counts, or effective, as many as there can be", standard: "peers" },
  { ...AGENT, name: "authenticator", placeholder: "PROGRAM", choices: CHOICES.authenticator, does: "What gets kubelet's credentials: auto, aws-iam-authenticator, aws or agent", standard: "auto" },
  { ...AGENT, about: "judgement", name: "strict", does: "Treat unknown fields in NodeConfig documents as errors" },
  { ...AGENT, about: "judgement", commands: BOOTSTRAP, name: "preflight", placeholder: "LEVEL", choices: CHOICES.preflight, does: "What becomes of settings that kubelet would refuse: error or warn", standard: "error" },
  { ...RUN, name: "wait", placeholder: "STATE", choices: CHOICES.wait, does: "What to wait for at the end: none, active or healthy", standard: "healthy" },
  { ...RUN, name: "wait-timeout", placeholder: "TIME", does: "How long, such as 90s or 5m", standard: "180s" },
  { ...RUN, commands: ALL, name: "deadline", placeholder: "TIME", does: "How long to ask the instance metadata, EKS and EC2", standard: "10m" },
  { ...RUN, name: "forget", does: "Forget how the node was configured by command line before" },
  { ...MIGRATE, name: "user-data", placeholder: "FILE", isPath: true, does: "User data, plain or in MIME, base64 or gzip: a script that calls bootstrap.sh, a cloud-config, or NodeConfigs. - is standard input" },
  { ...MIGRATE, name: "eksctl", placeholder: "DIR", isPath: true, does: "Folder of eksctl's kubelet.env and kubelet-extra.json" },
  { ...TOKEN, name: "cluster", placeholder: "NAME", does: "The cluster's name, or its id for a local cluster on Outposts" },
  { ...TOKEN, name: "region", placeholder: "REGION", does: "The cluster's region", standard: "AWS_REGION or AWS_DEFAULT_REGION" },
  { ...MAX_PODS, name: "instance-type", placeholder: "TYPE", does: "The instance type, such as m5.large" },
  { ...MAX_PODS, name: "instance-type-from-imds", does: "Take the type of this instance" },
  { ...MAX_PODS, name: "cni-version", placeholder: "VERSION", does: "Version of the VPC CNI, such as 1.18.3. It must be given" },
  { ...MAX_PODS, name: "cni-custom-networking-enabled", does: "The pods have subnets of their own, so that the first interface has no addresses for them" },
  { ...MAX_PODS, name: "cni-prefix-delegation-enabled", does: "Interfaces have prefixes of 16 addresses. Counts for Nitro, from CNI 1.9 on" },
  { ...MAX_PODS, name: "cni-max-eni", placeholder: "N", does: "Most interfaces that the CNI may use", standard: "all" },
  { ...MAX_PODS, name: "show-max-allowed", does: "Leave out the ceiling, which is 110 pods, and 250 above 30 vCPUs" },
  { ...MAX_PODS, name: "profile", placeholder: "NAME", does: "Taken, and without effect: credentials are the environment's or the instance's" },
  { ...RUN, commands: EVERY, name: "log-level", placeholder: "LEVEL", choices: CHOICES["log-level"], does: "debug, info, warn or error", standard: "info" },
  { ...RUN, commands: [...ALL, "check", "report"], name: "root", placeholder: "DIR", isPath: true, does: "Work on the system below DIR and start nothing, for image builds", standard: "/" },
  { ...RUN, commands: EVERY, name: "help", does: "Show this text" },
  { ...RUN, commands: EVERY, name: "version", does: "Show the version" },
] as const;

export type OptionName = (typeof OPTION_TABLE)[number]["name"];

export const OPTIONS: readonly Option[] = OPTION_TABLE;

export type Variable = {
  readonly name: string;
  readonly does: string;
  readonly isPath?: true;
  /** Read whether or not the command line names the cluster. */
  readonly always?: true;
};

/** Environment variables that have no option. */
export const VARIABLES: readonly Variable[] = [
  { name: "PAUSE_CONTAINER_IMAGE", does: "The pause image, whole" },
  { name: "PRIVATE_DNS_NAME_MAX_ATTEMPTS", does: "Tries of EC2 for the private DNS name" },
  { name: "PRIVATE_DNS_NAME_ATTEMPT_INTERVAL", does: "Seconds between them" },
  { name: "IMDS_ENDPOINT", does: "Host, or URL, of the instance metadata" },
  { name: "IMDS_RETRIES", does: "Tries of the instance metadata after the first" },
  { name: "IMDS_RETRY_DELAY_SECONDS", does: "Seconds between them" },
  { name: "IMDS_TOKEN_TTL_SECONDS", does: "Life of its token" },
  { name: "ECR_CREDENTIAL_PROVIDER_BIN_PATH", does: "The image credential provider; read always", always: true },
];

/** Environment variables of `imds`. */
export const IMDS_VARIABLES: readonly Variable[] = [
  { name: "IMDS_ENDPOINT", does: "Host, or URL, of the instance metadata (default: 169.254.169.254)" },
  { name: "IMDS_TOKEN", does: "Token to ask with, instead of a new one" },
  { name: "IMDS_TOKEN_TTL_SECONDS", does: "Life of a new one (default: 900)" },
  { name: "IMDS_RETRIES", does: "Tries after the first (default: 10)" },
  { name: "IMDS_RETRY_DELAY_SECONDS", does: "Seconds between them (default: 1)" },
  { name: "IMDS_DEBUG", does: "true logs every request" },
];
