import { spawnSync } from "node:child_process";
import { type CollectionTag, parse, parseAllDocuments, type ScalarTag } from "yaml";
import { findTool } from "../../packaging/tool.ts";
import { CLUSTER_CA_PEM } from "../simulator/world.ts";

/** User data that a page tells to launch nodes with. */
export type UserData = {
  readonly text: string;
  /** Whether the image has the agent's unit enabled: so it is wherever a NodeConfig is all that there is. */
  readonly withUnit: boolean;
  /** Scripts that the launching tool puts on the node, by their paths. */
  readonly files?: Readonly<Record<string, string>>;
};

const CA = Buffer.from(CLUSTER_CA_PEM).toString("base64");
const ENDPOINT = "https://0123456789ABCDEF0123456789ABCDEF.gr7.us-west-2.eks.amazonaws.com";

/** What stands for the names in templates, once somebody uses them. */
const VALUES: Readonly<Record<string, string>> = {
  ClusterName: "my-cluster",
  "AWS::StackName": "my-stack",
  "AWS::Region": "us-west-2",
  "AWS::Partition": "aws",
  "data.aws_eks_cluster.this.name": "my-cluster",
  "data.aws_eks_cluster.this.endpoint": ENDPOINT,
  "data.aws_eks_cluster.this.certificate_authority[0].data": CA,
  "data.aws_eks_cluster.this.kubernetes_network_config[0].service_ipv4_cidr": "172.20.0.0/16",
};

function filledIn(template: string): string {
  return template.replace(/\$\{([^}]+)\}/g, (_, name: string) => {
    const value = VALUES[name];
    if (value === undefined) throw new Error(`there is no value for \${${name}}`);
    return value;
  });
}

/** Parses a block and returns the user data in it. Throws what is wrong with it. */
export function userDataOf(language: string, text: string): readonly UserData[] {
  switch (language) {
    case "json":
      checkPolicy(JSON.parse(text));
      return [];
    case "yaml":
      return userDataOfYaml(text);
    case "hcl":
      checkHcl(text);
      return heredocs(text).map((heredoc) => withUnitIfNeeded(filledIn(heredoc)));
    default:
      throw new Error(`nobody knows what to do with a block of "${language}"`);
  }
}

function withUnitIfNeeded(text: string): UserData {
  return { text, withUnit: !/bootstrap\.sh|^eks-node-agent/m.test(text) };
}

/** A policy of IAM, if it is one: actions of services that a node calls. */
function checkPolicy(document: unknown): void {
  if (typeof document !== "object" || document === null || !("Statement" in document)) return;
  const statements = document.Statement as readonly { Effect: string; Action: string | readonly string[]; Resource: string }[];
  for (const { Effect, Action, Resource } of statements) {
    const actions = [Action].flat();
    if (Effect !== "Allow" || Resource === "" || !actions.every((action) => /^(eks|ec2):Describe\w+$/.test(action))) throw new Error(`a statement that a node has no use for: ${JSON.stringify({ Effect, Action, Resource })}`);
  }
}

function userDataOfYaml(text: string): readonly UserData[] {
  const documents = parseAllDocuments(text, { customTags: CLOUDFORMATION_TAGS });
  const problems = [documents].flat().flatMap(({ errors, warnings }) => [...errors, ...warnings]);
  if (problems[0] !== undefined) throw problems[0];
  const values = [documents].flat().map((document) => document.toJS() as Document);
  if (values.every(({ apiVersion }) => apiVersion?.startsWith("node.eks.aws/"))) return [{ text, withUnit: true }];
  if (values.some((value) => value.Resources !== undefined || value.UserData !== undefined)) return values.flatMap(userDataOfTemplate);
  return values.flatMap((value) => userDataOfKind(value));
}

type Document = {
  readonly apiVersion?: string;
  readonly kind?: string;
  readonly metadata?: unknown;
  readonly spec?: unknown;
  readonly nodeGroups?: readonly EksctlNodeGroup[];
  readonly Parameters?: object;
  readonly Resources?: object;
  readonly UserData?: unknown;
};

/** !Sub TEXT as { "Fn::Sub": TEXT }, and so on. */
const CLOUDFORMATION_TAGS: (ScalarTag | CollectionTag)[] = [
  { tag: "!Sub", resolve: (value: string) => ({ "Fn::Sub": value }) },
  { tag: "!Ref", resolve: (value: string) => ({ Ref: value }) },
  { tag: "!GetAtt", resolve: (value: string) => ({ "Fn::GetAtt": value }) },
];

function userDataOfTemplate(template: Document): readonly UserData[] {
  const found: string[] = [];
  const names = new Set([...Object.keys(template.Parameters ?? {}), ...Object.keys(template.Resources ?? {})]);
  const look = (value: unknown): void => {
    if (typeof value !== "object" || value === null) return;
    for (const [key, inner] of Object.entries(value)) {
      if (template.Resources !== undefined) refuseUnknownName(key, inner, names);
      if (key === "Fn::Base64") found.push((inner as { "Fn::Sub": string })["Fn::Sub"]);
      look(inner);
    }
  };
  look(template);
  return found.map((text) => withUnitIfNeeded(filledIn(text)));
}

/** What a template refers to is one of its parameters or resources, or AWS's own. */
function refuseUnknownName(key: string, value: unknown, names: ReadonlySet<string>): void {
  if (typeof value !== "string") return;
  const referred = key === "Ref" || key === "DependsOn" ? [value] : key === "Fn::GetAtt" ? [value.split(".")[0] ?? ""] : key === "Fn::Sub" ? [...value.matchAll(/\$\{([^}]+)\}/g)].map(([, name = ""]) => name) : [];
  const unknown = referred.filter((name) => !names.has(name) && !name.startsWith("AWS::"));
  if (unknown.length > 0) throw new Error(`the template has no ${unknown.join(", ")}`);
}

type EksctlNodeGroup = { readonly amiFamily: string; readonly labels: Readonly<Record<string, string>>; readonly overrideBootstrapCommand: string };

function userDataOfKind(document: Document): readonly UserData[] {
  const known = KINDS[document.kind ?? ""];
  if (known === undefined) throw new Error(`nobody knows what becomes of a document of the kind "${document.kind}"`);
  return known(document);
}

const KINDS: Readonly<Record<string, (document: Document) => readonly UserData[]>> = {
  ClusterConfig: ({ nodeGroups = [] }) => nodeGroups.map(userDataByEksctl),
  EC2NodeClass: ({ spec }) => [userDataByKarpenter(spec as KarpenterSpec)],
  NodePool: () => [],
};

/** For AL2023 eksctl puts a NodeConfig of its own before that of the file; for AL2 the file's command is all, with a script of eksctl's beside it. */
function userDataByEksctl({ amiFamily, labels, overrideBootstrapCommand }: EksctlNodeGroup): UserData {
  const nodeLabels = Object.entries({ "alpha.eksctl.io/cluster-name": "my-cluster", ...labels }).map((entry) => entry.join("=")).join(",");
  if (amiFamily === "AmazonLinux2023") return { text: mime([nodeConfig({ flags: [`--node-labels=${nodeLabels}`] }), overrideBootstrapCommand]), withUnit: true };
  const helper = [`CLUSTER_NAME=my-cluster`, `API_SERVER_URL=${ENDPOINT}`, `B64_CLUSTER_CA=${CA}`, `KUBELET_EXTRA_ARGS='--node-labels=${nodeLabels}'`];
  const files = { "/var/lib/cloud/scripts/eksctl/bootstrap.helper.sh": `${helper.join("\n")}\n` };
  return { text: `#cloud-config\n${JSON.stringify({ runcmd: [["bash", "-c", overrideBootstrapCommand]] })}\n`, withUnit: false, files };
}

type KarpenterSpec = { readonly amiFamily: string; readonly userData: string; readonly kubelet?: { readonly maxPods: number } };

/** For AL2023 Karpenter puts a NodeConfig of its own after that of the node class; for Custom the node class's is all. */
function userDataByKarpenter({ amiFamily, userData, kubelet }: KarpenterSpec): UserData {
  if (amiFamily === "Custom") return { text: userData, withUnit: false };
  const flags = ["--node-labels=karpenter.sh/capacity-type=on-demand,karpenter.sh/nodepool=my-nodes", "--register-with-taints=karpenter.sh/unregistered:NoExecute"];
  return { text: mime([userData, nodeConfig({ flags, config: { ...kubelet, clusterDNS: ["172.20.0.10"] } })]), withUnit: true };
}

function nodeConfig(kubelet: object): string {
  const cluster = { name: "my-cluster", apiServerEndpoint: ENDPOINT, certificateAuthority: CA, cidr: "172.20.0.0/16" };
  return `${JSON.stringify({ apiVersion: "node.eks.aws/v1alpha1", kind: "NodeConfig", spec: { cluster, kubelet } })}\n`;
}

function mime(nodeConfigs: readonly string[]): string {
  const parts = nodeConfigs.map((text) => `--//\nContent-Type: application/node.eks.aws\n\n${text}\n`);
  return `MIME-Version: 1.0\nContent-Type: multipart/mixed; boundary="//"\n\n${parts.join("")}--//--\n`;
}

/** As `terraform fmt` sees it, which knows Packer's files as well; nothing is checked where it is not installed. */
function checkHcl(text: string): void {
  if (findTool("terraform") === undefined) return;
  const { status, stdout, stderr } = spawnSync("terraform", ["fmt", "-check", "-diff", "-"], { input: text, encoding: "utf8" });
  if (status !== 0) throw new Error(`terraform fmt: ${stderr}${stdout}`);
}

/** The texts between <<-EOT and EOT, without the indentation that they have in common. */
function heredocs(text: string): readonly string[] {
  return [...text.matchAll(/<<-(\w+)\n([\s\S]*?)\n\s*\1\n/g)].map(([, , body = ""]) => {
    const lines = body.split("\n");
    const indent = Math.min(...lines.filter((line) => line !== "").map((line) => line.length - line.trimStart().length));
    return lines.map((line) => `${line.slice(indent)}\n`).join("");
  });
}

/** The commands of Packer's shell provisioners. */
export function packerCommands(text: string): readonly string[] {
  return [...text.matchAll(/inline = (\[[\s\S]*?\])/g)].flatMap(([, list = ""]) => parse(list) as string[]);
}
