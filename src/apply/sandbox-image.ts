import { mkdir, mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { AgentError } from "../errors.ts";
import { CommandDeadlineError, runCommand, type CommandResult, whyNotStarted } from "../io/command.ts";
import { printToml } from "../lib/toml.ts";

/** kubelet's images in containerd are in this namespace. */
const NAMESPACE = "k8s.io";

/** Keeps kubelet from removing the image when the disk is full: without it no pod can start. */
const PINNED = "io.cri-containerd.pinned=pinned";

/** Where operators configure registries, mirrors too. */
const HOSTS_OF_MACHINE = "/etc/containerd/certs.d";

const QUESTION_MS = 60_000;
const PULL_MS = 300_000;

/** @throws AgentError "program-missing" without containerd's ctr, "unit-not-up" when that fails, as all here do */
export async function isImagePresent(reference: string, signal?: AbortSignal): Promise<boolean> {
  const names = await ctr("look for", reference, ["ls", "-q", `name==${reference}`], QUESTION_MS, signal);
  return names.split("\n").includes(reference);
}

export async function pinImage(reference: string, signal?: AbortSignal): Promise<void> {
  await ctr("pin", reference, ["label", reference, PINNED], QUESTION_MS, signal);
}

/** From a registry that everybody may pull from. */
export async function pullImage(reference: string, signal?: AbortSignal): Promise<void> {
  await ctr("pull", reference, ["pull", "--hosts-dir", HOSTS_OF_MACHINE, reference], PULL_MS, signal);
}

/**
 * The same with a login. It goes to ctr in a file that only root can read: everybody can read a command line, and ctr asks
 * for a password on a terminal only.
 *
 * @param host of the registry
 * @param login name and password in base64
 */
export async function pullImageWithLogin(reference: string, host: string, login: string, signal?: AbortSignal): Promise<void> {
  // Of mode 0700. The unit's own directory is in memory, and systemd removes it when this process is killed.
  const hosts = await mkdtemp(join(process.env["RUNTIME_DIRECTORY"] ?? tmpdir(), "hosts-"));
  try {
    await mkdir(join(hosts, host));
    await writeFile(join(hosts, host, "hosts.toml"), hostsToml(host, login), { mode: 0o600, flag: "wx" });
    await ctr("pull", reference, ["pull", "--hosts-dir", hosts, reference], PULL_MS, signal);
  } finally {
    await rm(hosts, { recursive: true, force: true });
  }
}

function hostsToml(host: string, login: string): string {
  const server = `https://${host}`;
  return printToml({ server, host: { [server]: { capabilities: ["pull", "resolve"], header: { Authorization: `Basic ${login}` } } } });
}

async function ctr(verb: string, reference: string, args: readonly string[], timeoutMs: number, signal: AbortSignal | undefined): Promise<string> {
  const task = `Cannot ${verb} the sandbox image ${reference}`;
  const { status, stdout, stderr } = await run(task, ["ctr", "--namespace", NAMESPACE, "images", ...args], timeoutMs, signal);
  if (status === 0) return stdout;
  const said = stderr.trim().split("\n").at(-1) ?? "";
  throw new AgentError("unit-not-up", `${task}: ctr failed with status ${status}: ${said}`, { remedy: "See whether containerd is up (systemctl status containerd), and whether its registry can be reached from here; the unit tries again." });
}

async function run(task: string, argv: readonly string[], timeoutMs: number, signal: AbortSignal | undefined): Promise<CommandResult> {
  try {
    return await runCommand(argv, { timeoutMs, ...(signal && { signal }) });
  } catch (error) {
    if (error instanceof CommandDeadlineError) throw new AgentError("unit-not-up", `${task}: no end within ${timeoutMs / 1000} s`, { remedy: "See what containerd does: journalctl -u containerd.", cause: error });
    const why = whyNotStarted("ctr", error);
    if (why === undefined) throw error;
    throw new AgentError("program-missing", `${task}: ${why}`, { remedy: "Install containerd whole: ctr comes with it.", cause: error });
  }
}
