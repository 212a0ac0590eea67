import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, describe, expect, it } from "vitest";
import { check } from "../../src/cli/check.ts";
import { parseConfigText } from "../../src/config/config-text.ts";
import { CLUSTER_CA_PEM } from "../simulator/world.ts";
import { commandWorld } from "./command-world.ts";
import { migrated } from "./migrations.ts";

const CA = Buffer.from(CLUSTER_CA_PEM).toString("base64");
const GIVEN = ["--b64-cluster-ca", CA, "--apiserver-endpoint", "https://0123456789ABCDEF.gr7.us-west-2.eks.amazonaws.com"];
const IN_SCRIPT = `--b64-cluster-ca ${CA} --apiserver-endpoint https://0123456789ABCDEF.gr7.us-west-2.eks.amazonaws.com`;

const folder = mkdtempSync(join(tmpdir(), "migrate-"));
afterAll(() => rmSync(folder, { recursive: true }));

function fileOf(name: string, text: string | Buffer): string {
  writeFileSync(join(folder, name), text);
  return join(folder, name);
}

function eksctlFolder(name: string, files: Readonly<Record<string, string>>): string {
  mkdirSync(join(folder, name));
  for (const [file, text] of Object.entries(files)) fileOf(join(name, file), text);
  return join(folder, name);
}

const DYNAMIC = `#!/bin/bash
set -o xtrace
REGION=$(curl -s http://169.254.169.254/latest/meta-data/placement/region)
yum install -y amazon-ssm-agent
DB_PASSWORD=hunter22 start-database --password=hunter22
if [[ $REGION == us-* ]]; then
  echo "vm.max_map_count = 262144" > /etc/sysctl.d/99.conf
fi
export KUBELET_EXTRA_ARGS='--v=4'
/etc/eks/bootstrap.sh "my-cluster" --b64-cluster-ca "$(aws eks describe-cluster --name my-cluster --region $REGION)" \\
  --kubelet-extra-args '--node-labels=team=a --register-with-taints "dedicated=a b:NoSchedule"' \\
  --pause-container-version 3.9
`;

type Case = { readonly name: string; readonly argv: readonly string[]; readonly environment?: Record<string, string>; readonly status: number };

const CASES: readonly Case[] = [
  { name: "example-bootstrap-sh", argv: ["--user-data", "docs/examples/bootstrap-sh.sh"], status: 0 },
  { name: "example-cloud-config-runcmd", argv: ["--user-data", "docs/examples/cloud-config-runcmd.yaml"], status: 2 },
  { name: "example-eksctl-cloud-config", argv: ["--user-data", "docs/examples/eksctl-cloud-config.yaml"], status: 2 },
  { name: "example-mime-node-config", argv: ["--user-data", "docs/examples/mime-node-config.txt"], status: 2 },
  { name: "name-alone", argv: ["--", "my-cluster"], status: 0 },
  {
    name: "words",
    argv: ["--", "/etc/eks/bootstrap.sh", "my-cluster", ...GIVEN, "--service-ipv4-cidr", "172.20.5.7/16", "--dns-cluster-ip", "172.20.0.10, 169.254.20.10", "--local-disks", "raid0", "--node-name", "instance-id", "--kubelet-extra-args", `--node-labels=a=b --node-labels "c=d e" --v 2 --register-node --eviction-hard='memory.available<5%%'`],
    environment: { KUBELET_EXTRA_ARGS: "--max-pods=20" },
    status: 0,
  },
  {
    name: "words-without-fields",
    argv: [
      ...["--", "my-cluster", "--ip-family", "ipv6", "--pause-container-account", "111122223333", "--pause-container-version", "3.9", "--mount-bpf-fs", "false", "--aws-api-retry-attempts", "5"],
      ...["--containerd-config-file", "/etc/my/containerd.toml", "--docker-config-json", '{"auths":{"x":{"auth":"c2VjcmV0"}}}', "--enable-docker-bridge", "true", "--node-name-source", "imds-if-canonical", "--reserve-for", "effective", "--authenticator", "aws", "--strict"],
      ...["--preflight", "warn", "--config-source", "imds://user-data", "--kubelet-config-file", "/etc/my/kubelet.yaml"],
    ],
    environment: { IMDS_RETRIES: "3", PAUSE_CONTAINER_IMAGE: "registry.example/pause:1", ECR_CREDENTIAL_PROVIDER_BIN_PATH: "/opt/ecr" },
    status: 2,
  },
  { name: "ipv6-by-dns-address", argv: ["--", "my-cluster", ...GIVEN, "--ip-family", "ipv6", "--dns-cluster-ip", "fd30:1c53:5f8a::a"], status: 0 },
  { name: "script-that-is-half-known", argv: ["--user-data", fileOf("dynamic.sh", DYNAMIC)], status: 2 },
  { name: "script-with-two-calls", argv: ["--user-data", fileOf("twice.sh", `/etc/eks/bootstrap.sh first ${IN_SCRIPT} || true\n/etc/eks/bootstrap.sh second ${IN_SCRIPT}\n`)], status: 2 },
  {
    name: "eksctl",
    argv: ["--eksctl", eksctlFolder("eksctl", { "kubelet.env": `CLUSTER_NAME=my-cluster\nAPI_SERVER_URL=https://a.example\nB64_CLUSTER_CA=${CA}\nCLUSTER_DNS=10.100.0.10\nNODE_LABELS=a=b\nNODE_TAINTS=\nMAX_PODS=58\n`, "kubelet-extra.json": '{"maxPods": null, "evictionHard": {"memory.available": "5%"}}' })],
    status: 2,
  },
  { name: "node-config-of-all-fields", argv: ["--user-data", "test/cli/migrate/all-fields.yaml"], status: 0 },
  { name: "node-configs-that-replace", argv: ["--user-data", "test/cli/migrate/two-documents.yaml"], status: 2 },
];

/** The examples have a certificate authority of their own. */
function withoutCa(text: string): string {
  return text.replace(/(certificateAuthority: ).*/, "$1@CA@");
}

describe("what is printed", () => {
  it.each(CASES)("$name", async ({ name, argv, environment, status }) => {
    const result = await migrated(argv, environment);
    const golden = join(import.meta.dirname, "migrate", `${name}.yaml`);
    if (process.env["UPDATE_GOLDEN"] === "1") writeFileSync(golden, withoutCa(result.printed));
    expect(result.status).toBe(status);
    expect(withoutCa(result.printed)).toBe(readFileSync(golden, "utf8"));
  });

  it.each(CASES)("of $name is in order, strictly judged", async ({ argv, environment, name }) => {
    const { printed } = await migrated(argv, environment);
    const { world, printed: told } = commandWorld();
    const file = fileOf(`${name}.yaml`, printed);
    const status = await check({ files: [file], configSources: [], output: "text", root: "/", logLevel: "info" }, { ...world, colour: false });
    expect([status, told().toString()]).toEqual([0, `1 document: file ${file}\nNo problems.\n`]);
  });

  it("is migrated to itself", async () => {
    const { printed } = await migrated(["--user-data", "test/cli/migrate/all-fields.yaml"]);
    const again = await migrated(["--user-data", fileOf("again.yaml", printed)]);
    const bare = (text: string): string => text.replace(/^#.*\n/gm, "");
    expect(bare(again.printed)).toBe(bare(printed));
    const configOf = (text: string): unknown => parseConfigText({ source: "x", text, givenAs: "file" }).config;
    expect(configOf(printed)).toEqual(configOf(readFileSync("test/cli/migrate/all-fields.yaml", "utf8")));
  });

  it("holds no secret of what it cannot carry", async () => {
    const { printed } = await migrated(["--user-data", join(folder, "dynamic.sh")]);
    expect(printed).not.toContain("hunter22");
  });
});

describe("what cannot be migrated", () => {
  it.each<[string, readonly string[], number, string]>([
    ["nothing", [], 64, "There is nothing to migrate"],
    ["a word before the dashes", ["demo"], 64, '"demo" is one word too many'],
    ["an option before the dashes", ["--ip-family", "ipv4"], 64, "--ip-family is no option of migrate"],
    ["two sources", ["--eksctl", "/x", "--", "demo"], 64, "There is more than one thing to migrate"],
    ["an option that there is not", ["--", "demo", "--ip-famly", "ipv4"], 64, "There is no option --ip-famly; did you mean --ip-family?"],
    ["an option without its value", ["--", "demo", "--ip-family"], 64, "--ip-family needs a value, and is the last word"],
    ["two names", ["--", "demo", "other"], 64, '"other" is one word too many: the cluster is "demo" already'],
    ["a call for help", ["--", "--help"], 64, "The call of bootstrap.sh (command line) asks for help, and configures nothing"],
    ["a value that bootstrap refuses", ["--", "demo", "--ip-family", "ipv5"], 78, 'Cannot migrate this configuration: 1 problem\noption --ip-family: Cannot use "ipv5": expected ipv4 or ipv6.'],
    ["a stray word for kubelet", ["--", "demo", "--kubelet-extra-args", "x"], 78, 'Cannot migrate this configuration: 1 problem\noption --kubelet-extra-args: Cannot use the word "x": it is no flag, and no flag before it takes a value. Kubelet would take it for a command and exit. Quote values that hold spaces.'],
    ["no name", ["--", "--ip-family", "ipv4"], 78, "Cannot make a NodeConfig without the cluster's name, which nothing that was found gives"],
    ["a name that only a shell knows", ["--user-data", fileOf("name.sh", "/etc/eks/bootstrap.sh $(name)\n")], 78, "Cannot make a NodeConfig without the cluster's name, which nothing that was found gives\nnot understood: user-data, line 1: $(name)"],
    ["a call that only a shell knows of", ["--user-data", fileOf("if.sh", "if a; then\n/etc/eks/bootstrap.sh demo\nfi\n")], 78, "Cannot make a NodeConfig without the cluster's name, which nothing that was found gives\nnot understood: user-data, line 2: /etc/eks/bootstrap.sh demo"],
    ["an empty file", ["--user-data", fileOf("empty", "")], 66, "There is nothing to migrate: no call of bootstrap.sh, no NodeConfig and no file of eksctl's was found"],
    ["a folder of nothing", ["--eksctl", eksctlFolder("nothing", {})], 66, "There is nothing to migrate: no call of bootstrap.sh, no NodeConfig and no file of eksctl's was found"],
    ["a file that is not there", ["--user-data", join(folder, "absent")], 77, `Cannot read ${join(folder, "absent")} (option --user-data): there is no such file`],
    ["a NodeConfig with a fault", ["--user-data", fileOf("fault.yaml", "apiVersion: node.eks.aws/v1alpha1\nkind: NodeConfig\nspec: {cluster: {name: 1}}\n")], 78, 'Cannot migrate this configuration: 1 problem\nuser-data, line 3, spec.cluster.name: Cannot use 1: expected text, as in "1".'],
  ])("%s", async (_, argv, status, printed) => {
    expect(await migrated(argv)).toEqual({ status, printed });
  });
});
