import { execFileSync, spawn } from "node:child_process";
import { chmodSync, mkdirSync, mkdtempSync, readdirSync, readFileSync, realpathSync, rmSync, statSync, writeFileSync } from "node:fs";
import { createServer } from "node:net";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { install, MACHINE_FILES } from "../../packaging/root-directory.ts";
import { executable } from "../build.ts";

/** Changing the root needs root. */
export const CAN_CHROOT = process.geteuid?.() === 0;

/**
 * A machine that has nothing but the executable, its C library, a shell with the few programs that the stubs need, and
 * stubs for kubelet, containerd (which refuses its configuration in the words of /refusal), systemctl and journalctl. No Node.js, no systemd, and a kernel that says what is written here.
 */
export type NodeRoot = {
  readonly path: string;
  readonly run: (args: readonly string[], options?: RunOptions) => Promise<Ended>;
  readonly write: (path: string, contents: string, mode?: number) => void;
  readonly read: (path: string) => string;
  /** Every file that the agent manages: below /etc and /var, without what the machine came with. */
  readonly managedFiles: () => Readonly<Record<string, string>>;
  /** Every path with its type, mode, size and time of change, but for what the stubs keep and the record of the last run. */
  readonly snapshot: () => readonly string[];
  /** Calls of systemctl since the last time this was asked. */
  readonly systemctlCalls: () => readonly string[];
  readonly remove: () => void;
};

export type RunOptions = {
  readonly environment?: Readonly<Record<string, string>>;
  /** Of an ordinary user. */
  readonly uid?: number;
  /** Shell words that stdout is piped into. */
  readonly pipedInto?: string;
  /** Sends SIGTERM when it is settled. */
  readonly terminateAfter?: Promise<unknown>;
};

export type Ended = { readonly status: number | null; readonly stdout: string; readonly stderr: string };

const TOOLS = ["sh", "cat", "date", "sed", "tail", "mkdir", "rm", "cksum", "readlink", "basename", "flock", "head"];
const STUB_STATE = "/stubs";

export function makeNodeRoot(): NodeRoot {
  const path = mkdtempSync(join(tmpdir(), "eks-node-agent-root-"));
  chmodSync(path, 0o755);
  const write = (file: string, contents: string, mode = 0o644): void => {
    mkdirSync(dirname(path + file), { recursive: true });
    writeFileSync(path + file, contents);
    chmodSync(path + file, mode);
  };
  install(path, executable, "/usr/bin/eks-node-agent");
  for (const tool of TOOLS) install(path, realpathSync(execFileSync("sh", ["-c", `command -v ${tool}`], { encoding: "utf8" }).trim()), `/bin/${tool}`);
  for (const stub of ["systemctl", "journalctl"]) write(`/usr/bin/${stub}`, readFileSync(new URL(`../stubs/${stub}`, import.meta.url), "utf8"), 0o755);
  for (const [file, contents] of Object.entries(MACHINE_FILES)) write(file, contents);
  for (const [file, body] of Object.entries(PROGRAMS)) write(file, `#!/bin/sh\n${body}\n`, 0o755);
  for (const unit of ["kubelet.service", "containerd.service"]) mkdirSync(`${path}${STUB_STATE}/units/${unit}`, { recursive: true });
  mkdirSync(`${path}/tmp`, { mode: 0o777 });
  chmodSync(`${path}/dev/null`, 0o666);
  mkdirSync(`${path}/run/containerd`, { recursive: true });
  mkdirSync(`${path}/var/lib/eks-node-agent`, { recursive: true });
  // The stubs start no containerd: its socket is served from here.
  const containerd = createServer((connection) => connection.end()).listen(`${path}/run/containerd/containerd.sock`);
  const installed = new Set(filesBelow(path));
  let callsSeen = 0;
  return {
    path,
    write,
    read: (file) => readFileSync(path + file, "utf8"),
    run: (args, options) => runIn(path, args, options),
    managedFiles: () => {
      const files = filesBelow(path).filter((file) => /^\/(etc|var)\//.test(file) && !installed.has(file) && !file.startsWith("/var/lib/eks-node-agent/"));
      return Object.fromEntries(files.map((file) => [file, readFileSync(path + file, "utf8")]));
    },
    snapshot: () => snapshotOf(path),
    systemctlCalls: () => {
      const calls = readCalls(path);
      const fresh = calls.slice(callsSeen);
      callsSeen = calls.length;
      return fresh;
    },
    remove: () => {
      containerd.close();
      rmSync(path, { recursive: true, force: true });
    },
  };
}

const PROGRAMS: Readonly<Record<string, string>> = {
  "/usr/bin/kubelet": "echo Kubernetes v1.29.3",
  "/usr/bin/containerd": 'case "$*" in *"config dump") if [ -e /refusal ]; then cat /refusal >&2; exit 1; fi ;; *) echo containerd github.com/containerd/containerd 1.7.11 0 ;; esac',
  "/usr/bin/aws-iam-authenticator": "exit 0",
  "/sbin/iptables": "exit 0",
  "/etc/eks/image-credential-provider/ecr-credential-provider": "exit 0",
};

function runIn(root: string, args: readonly string[], { environment = {}, uid = 0, pipedInto, terminateAfter }: RunOptions = {}): Promise<Ended> {
  const command = ["/usr/bin/eks-node-agent", ...args];
  const inside = pipedInto === undefined ? command : ["/bin/sh", "-c", `{ "$@"; echo $? >&2; } | ${pipedInto}`, "sh", ...command];
  const env = { PATH: "/usr/bin:/bin:/sbin", SYSTEMD_STUB: STUB_STATE, ...environment };
  // Two CPUs, since what is reserved for kubelet goes by them.
  const child = spawn("taskset", ["--cpu-list", "0,1", "chroot", `--userspec=${uid}:${uid}`, root, ...inside], { env: { ...env, PATH: `${process.env["PATH"] ?? ""}:${env.PATH}` }, stdio: ["ignore", "pipe", "pipe"] });
  void terminateAfter?.finally(() => child.kill("SIGTERM"));
  const text = { stdout: "", stderr: "" };
  for (const name of ["stdout", "stderr"] as const) child[name].setEncoding("utf8").on("data", (chunk: string) => (text[name] += chunk));
  return new Promise((done, failed) => child.once("error", failed).once("close", (status) => done({ status, ...text })));
}

function readCalls(root: string): readonly string[] {
  try {
    return readFileSync(`${root}${STUB_STATE}/calls`, "utf8").trim().split("\n");
  } catch {
    return [];
  }
}

function filesBelow(root: string): readonly string[] {
  return readdirSync(root, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile())
    .map((entry) => join(entry.parentPath, entry.name).slice(root.length))
    .sort();
}

/** Every run that is no dry run leaves a record of itself. */
const RECORDED: readonly string[] = ["var/lib/eks-node-agent", "var/lib/eks-node-agent/last-run.json"];

/** Where every run has containerd look at its configuration, and where it loads its addons from without /proc; it clears up afterwards. */
const TEMPORARY: readonly string[] = ["tmp", "run"];

function snapshotOf(root: string): readonly string[] {
  return readdirSync(root, { recursive: true, encoding: "utf8" })
    .filter((name) => !name.startsWith("stubs") && !name.startsWith("run/eks-node-agent") && !RECORDED.includes(name) && !TEMPORARY.includes(name))
    .sort()
    .map((name) => {
      const { mode, size, mtimeMs, ino } = statSync(join(root, name));
      return `${name} ${mode.toString(8)} ${size} ${mtimeMs} ${ino}`;
    });
}
