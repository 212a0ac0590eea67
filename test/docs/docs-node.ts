import { execFileSync, spawn } from "node:child_process";
import { chmodSync, readdirSync, readFileSync, realpathSync, rmSync, statSync, symlinkSync, writeFileSync } from "node:fs";
import { createServer, type Server } from "node:http";
import type { AddressInfo } from "node:net";
import { join } from "node:path";
import { findTool } from "../../packaging/tool.ts";
import { install } from "../../packaging/root-directory.ts";
import { CAN_CHROOT, type Ended, makeNodeRoot, type NodeRoot } from "../program/node-root.ts";
import { type Simulator, startSimulator } from "../simulator/simulator.ts";
import { CLUSTER, WORLD, type World } from "../simulator/world.ts";
import { STUBS } from "./stubs.ts";

/**
 * A node on which what the documentation says is done. The agent is real, with the names that the compat package gives it; AWS is
 * simulated; systemd, kubelet and the other programs are stubs, of which kubelet's is always healthy.
 */
export type DocsNode = NodeRoot & {
  readonly simulator: Simulator;
  /** Runs a script with bash, in /root, and stops at the first command that fails. */
  readonly shell: (script: string, options?: ShellOptions) => Promise<Ended>;
  /** Makes it the machine that it was at first, with this user data. */
  readonly reset: (userData: string | undefined) => void;
  readonly close: () => Promise<void>;
};

export type ShellOptions = {
  readonly environment?: Readonly<Record<string, string>>;
  /** Of an ordinary user. */
  readonly uid?: number;
};

/** With the cluster that the documentation speaks of. */
export const DOCS_WORLD: World = { ...WORLD, clusters: [CLUSTER, { ...CLUSTER, name: "my-cluster" }] };

const TOOLS = ["bash", "base64", "chmod", "cp", "curl", "cut", "grep", "gzip", "jq", "ls", "mv", "sleep", "sort", "stat", "tee", "touch", "tr", "true", "wc"];

const project = (path: string): string => readFileSync(new URL(`../../${path}`, import.meta.url), "utf8");

function whyNone(): string | undefined {
  if (!CAN_CHROOT) return "it changes the root directory, which needs root";
  const missing = TOOLS.find((tool) => findTool(tool) === undefined);
  return missing === undefined ? undefined : `there is no ${missing}`;
}

/** Why there can be no such node here; undefined where there can. */
export const NO_DOCS_NODE = whyNone();

/** For the title of tests that need one. */
export const IF_SKIPPED = NO_DOCS_NODE === undefined ? "" : ` (skipped: ${NO_DOCS_NODE})`;

export async function makeDocsNode(world: World = DOCS_WORLD): Promise<DocsNode> {
  const [simulator, healthz] = await Promise.all([startSimulator({ world }), startHealthz()]);
  const node = makeNodeRoot();
  for (const tool of TOOLS) install(node.path, which(tool), `/bin/${tool}`);
  install(node.path, which("env"), "/usr/bin/env");
  for (const [path, body] of Object.entries(STUBS)) writeProgram(node, path, `#!/bin/sh\n${body}\n`);
  writeProgram(node, "/etc/eks/bootstrap.sh", project("rpm/bootstrap.sh"));
  node.write("/usr/lib/systemd/system/eks-node-agent.service", project("systemd/eks-node-agent.service"));
  symlinkSync("eks-node-agent", `${node.path}/usr/bin/imds`);
  symlinkSync("../../usr/bin/eks-node-agent", `${node.path}/etc/eks/max-pods-calculator.sh`);
  node.write("/root/.keep", "");
  // As an image may: nothing else uses kubelet's own port on a machine that runs tests.
  node.write("/etc/kubernetes/kubelet/kubelet-config.json", `${JSON.stringify({ healthzPort: portOf(healthz) })}\n`);
  const restore = rememberFiles(node.path);
  return {
    ...node,
    simulator,
    reset: (userData) => {
      restore();
      simulator.setWorld({ ...world, userData });
    },
    shell: (script, options = {}) => runBash(node.path, script, { ...options, environment: { ...simulator.environment, ...options.environment } }),
    close: async () => {
      await simulator.close();
      healthz.close();
      node.remove();
    },
  };
}

function which(tool: string): string {
  return realpathSync(execFileSync("which", [tool], { encoding: "utf8" }).trim());
}

/** More than any file that somebody would change. */
const LARGEST_KEPT = 64 * 1024;

/** Puts files back as they are now, and removes later ones; folders stay. */
function rememberFiles(root: string): () => void {
  const kept = new Map(filesBelow(root).map((path) => [path, statSync(path).size > LARGEST_KEPT ? undefined : readFileSync(path)]));
  return () => {
    for (const path of filesBelow(root)) if (!kept.has(path)) rmSync(path);
    for (const [path, contents] of kept) if (contents !== undefined) writeFileSync(path, contents);
  };
}

function filesBelow(root: string): readonly string[] {
  return readdirSync(root, { recursive: true, withFileTypes: true }).filter((entry) => entry.isFile()).map((entry) => join(entry.parentPath, entry.name));
}

function writeProgram(node: NodeRoot, path: string, text: string): void {
  node.write(path, text);
  chmodSync(node.path + path, 0o755);
}

async function startHealthz(): Promise<Server> {
  const server = createServer((_request, response) => response.end("ok")).listen(0, "127.0.0.1");
  await new Promise((done) => server.once("listening", done));
  return server;
}

function portOf(server: Server): number {
  return (server.address() as AddressInfo).port;
}

function runBash(root: string, script: string, { environment = {}, uid = 0 }: ShellOptions): Promise<Ended> {
  const inside = ["/bin/bash", "-euo", "pipefail", "-c", `cd /root\n${script}`];
  const env = { PATH: "/usr/local/bin:/usr/bin:/bin:/sbin", HOME: "/root", SYSTEMD_STUB: "/stubs", ...environment };
  // Two CPUs, since what is reserved for kubelet goes by them.
  const words = ["--cpu-list", "0,1", "chroot", `--userspec=${uid}:${uid}`, root, ...inside];
  const child = spawn("taskset", words, { env: { ...env, PATH: `${process.env["PATH"] ?? ""}:${env.PATH}` }, stdio: ["ignore", "pipe", "pipe"] });
  const text = { stdout: "", stderr: "" };
  for (const name of ["stdout", "stderr"] as const) child[name].setEncoding("utf8").on("data", (chunk: string) => (text[name] += chunk));
  return new Promise((done, failed) => child.once("error", failed).once("close", (status) => done({ status, ...text })));
}
