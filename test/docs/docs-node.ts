import { execFileSync, spawn } from "node:child_process";
import { realpathSync } from "node:fs";
import { type Ended, install, makeNodeRoot, type NodeRoot } from "../program/node-root.ts";
import { type Simulator, startSimulator } from "../simulator/simulator.ts";
import { CLUSTER, WORLD, type World } from "../simulator/world.ts";

/** A node on which what the documentation says is done: the agent and its AWS are real but simulated, other programs are stubs. */
export type DocsNode = NodeRoot & {
  readonly simulator: Simulator;
  /** Runs a script with bash, in /root. */
  readonly shell: (script: string, options?: ShellOptions) => Promise<Ended>;
  readonly close: () => Promise<void>;
};

export type ShellOptions = {
  readonly environment?: Readonly<Record<string, string>>;
  /** Of an ordinary user. */
  readonly uid?: number;
};

/** The cluster that the documentation speaks of, besides the simulator's own. */
export const DOCS_WORLD: World = { ...WORLD, clusters: [CLUSTER, { ...CLUSTER, name: "my-cluster" }] };

const TOOLS = ["bash", "base64", "chmod", "cp", "curl", "cut", "date", "echo", "env", "false", "grep", "gzip", "jq", "ls", "mktemp", "mv", "printf", "sleep", "sort", "stat", "tee", "test", "touch", "tr", "true", "wc"];

/**
 * What else the pages call. Each only knows the words that it is called with there: that `systemctl` has a verb `enabel` is found, that
 * a cluster has joined nodes is not.
 */
const STUBS: Readonly<Record<string, string>> = {
  "/usr/bin/sudo": 'exec "$@"',
  "/usr/bin/aws": 'case "$1 $2" in "eks describe-cluster") jq -n \'{cluster:{status:"ACTIVE"}}\';; "eks list-access-entries" | "eks create-access-entry" | "eks describe-access-entry" | "ec2 describe-instances" | "ec2 modify-instance-metadata-options" | "iam list-attached-role-policies" | "sts get-caller-identity") echo "{}";; *) echo "aws: $1 $2 is not known here" >&2; exit 2;; esac',
  "/usr/bin/kubectl": 'case "$1" in get | describe | auth | certificate) ;; *) echo "kubectl: $1 is not known here" >&2; exit 2;; esac',
  "/usr/bin/ctr": 'case "$*" in "--namespace k8s.io images ls"*) ;; *) exit 2;; esac',
  "/usr/bin/crictl": 'case "$1" in info | images | pods | pull) ;; *) exit 2;; esac',
};

export async function makeDocsNode(world: World = DOCS_WORLD): Promise<DocsNode> {
  const simulator = await startSimulator({ world });
  const node = makeNodeRoot();
  for (const tool of TOOLS) install(node.path, realpathSync(execFileSync("which", [tool], { encoding: "utf8" }).trim()), `/bin/${tool}`);
  for (const [path, body] of Object.entries(STUBS)) node.write(path, `#!/bin/sh\n${body}\n`);
  execFileSync("chmod", ["0755", ...Object.keys(STUBS).map((path) => node.path + path)]);
  execFileSync("mkdir", ["-p", `${node.path}/root`, `${node.path}/etc/systemd/system`]);
  return {
    ...node,
    simulator,
    shell: (script, options = {}) => runBash(node.path, script, { ...options, environment: { ...simulator.environment, ...options.environment } }),
    close: async () => {
      await simulator.close();
      node.remove();
    },
  };
}

function runBash(root: string, script: string, { environment = {}, uid = 0 }: ShellOptions): Promise<Ended> {
  const inside = ["/bin/bash", "-euo", "pipefail", "-c", `cd /root; ${script}`];
  const env = { PATH: "/usr/bin:/bin:/sbin", HOME: "/root", SYSTEMD_STUB: "/stubs", ...environment };
  // Two CPUs, since what is reserved for kubelet goes by them.
  const words = ["--cpu-list", "0,1", "chroot", `--userspec=${uid}:${uid}`, root, ...inside];
  const child = spawn("taskset", words, { env: { ...env, PATH: `${process.env["PATH"] ?? ""}:${env.PATH}` }, stdio: ["ignore", "pipe", "pipe"] });
  const text = { stdout: "", stderr: "" };
  for (const name of ["stdout", "stderr"] as const) child[name].setEncoding("utf8").on("data", (chunk: string) => (text[name] += chunk));
  return new Promise((done, failed) => child.once("error", failed).once("close", (status) => done({ status, ...text })));
}
