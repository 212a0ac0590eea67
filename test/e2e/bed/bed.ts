import { randomUUID } from "node:crypto";
import { existsSync, mkdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { inject } from "vitest";
import { WORLD } from "../../simulator/world.ts";
import { type Boot, boot } from "./boot.ts";
import { type Cloud, startCloud } from "./cloud.ts";
import { removeControlGroups } from "./control-groups.ts";
import { type Ended, execute, type ExecuteOptions, must } from "./execute.ts";
import { breakNetwork, makeNetwork, type NetworkFault, removeNetwork } from "./network.ts";

/** systemd as PID 1 powers off at the fourth after it. */
const SIGRTMIN = 34;

export type BedOptions = {
  /** Whether cloud-init runs at boot; a machine without is up in half a second. */
  readonly cloudInit?: boolean;
  /** Without the agent's packages and all else that a node's image has: Debian as it is. */
  readonly bare?: boolean;
};

/**
 * Makes a machine that is off: `await using bed = await makeBed();` removes it at the end of its block.
 *
 * eth0 has the addresses that the made-up AWS says it has.
 */
export async function makeBed({ cloudInit = false, bare = false }: BedOptions = {}): Promise<Bed> {
  const { base, layer, folder } = inject("beds");
  const name = `bed-${process.pid}-${++made}`;
  const [root, upper, work] = ["root", "upper", "work"].map((part) => join(folder, name, part)) as [string, string, string];
  for (const path of [root, upper, work]) mkdirSync(path, { recursive: true });
  const lower = bare ? base : `${layer}:${base}`;
  await must(["mount", "-t", "overlay", name, "-o", `lowerdir=${lower},upperdir=${upper},workdir=${work}`, root]);
  await makeNetwork(name, WORLD.mac);
  const bed = new Bed(name, join(folder, name), base, await startCloud(name));
  bed.write("/etc/machine-id", `${randomUUID().replaceAll("-", "")}\n`);
  bed.write("/etc/hostname", "node\n");
  if (!cloudInit) bed.write("/etc/cloud/cloud-init.disabled", "");
  return bed;
}

let made = 0;

/** A machine with a real systemd, and a made-up AWS above it. Paths are the machine's own. */
export class Bed {
  readonly name: string;
  readonly cloud: Cloud;
  readonly #base: string;
  readonly #folder: string;
  #boot: Boot | undefined;

  constructor(name: string, folder: string, base: string, cloud: Cloud) {
    this.name = name;
    this.cloud = cloud;
    this.#folder = folder;
    this.#base = base;
  }

  /** Returns when systemd takes orders. */
  async boot(): Promise<void> {
    this.#boot = await boot(this.name, join(this.#folder, "root"), this.#consoleLog);
    // As systemd itself does wherever it is not in a container.
    await this.must("mount", "-t", "bpf", "-o", "mode=700", "bpf", "/sys/fs/bpf");
  }

  /** Returns systemd's own word for how it went: "running", or "degraded" when a unit has failed. */
  async booted(): Promise<string> {
    await this.boot();
    return (await this.run(["systemctl", "is-system-running", "--wait"])).stdout.trim();
  }

  /** As `systemctl poweroff` does: every unit is stopped. */
  async powerOff(): Promise<void> {
    process.kill(this.#running.leader, SIGRTMIN + 4);
    await this.#gone();
  }

  /** Every process ends at once, in the middle of whatever it does. */
  async crash(): Promise<void> {
    process.kill(this.#running.leader, "SIGKILL");
    await this.#gone();
  }

  /** Runs a program as root, outside of every unit. */
  run(argv: readonly string[], options: ExecuteOptions = {}): Promise<Ended> {
    const enter = ["nsenter", "--target", String(this.#running.leader), "--mount", "--uts", "--ipc", "--net", "--pid", "--cgroup", "--root", "--wdns=/"];
    const env = { PATH: "/usr/local/sbin:/usr/local/bin:/usr/sbin:/usr/bin:/sbin:/bin", HOME: "/root", LANG: "C.UTF-8" };
    return execute([...enter, "--", ...argv], { env, ...options });
  }

  /** Runs a program that must succeed, and returns its stdout without the last newline. */
  async must(...argv: readonly string[]): Promise<string> {
    const { status, stdout, stderr } = await this.run(argv);
    if (status === 0) return stdout.replace(/\n$/, "");
    throw new Error(`In the bed "${argv.join(" ")}" ended with ${status}:\n${stdout}${stderr}`);
  }

  /** Runs a program as a unit of its own, with the environment that systemd gives to units. */
  runUnit(argv: readonly string[], properties: readonly string[] = []): Promise<Ended> {
    const options = properties.map((property) => `--property=${property}`);
    // systemd would put the value of a variable in its place.
    const literal = argv.map((word) => word.replaceAll("$", "$$$$"));
    return this.run(["systemd-run", "--quiet", "--wait", "--pipe", "--collect", ...options, "--", ...literal]);
  }

  /** Runs the agent as somebody at a terminal would, but with the way to the made-up AWS. */
  agent(...args: readonly string[]): Promise<Ended> {
    return this.runUnit(["/usr/bin/eks-node-agent", ...args]);
  }

  exists(path: string): boolean {
    return existsSync(this.#path(path));
  }

  read(path: string): string {
    return readFileSync(this.#path(path), "utf8");
  }

  write(path: string, contents: string, mode = 0o644): void {
    mkdirSync(dirname(this.#path(path)), { recursive: true });
    writeFileSync(this.#path(path), contents, { mode });
  }

  remove(path: string): void {
    rmSync(this.#path(path), { recursive: true, force: true });
  }

  /** Where a path of the machine is for a process of this one. */
  outside(path: string): string {
    return this.#path(path);
  }

  /** As an image's builder does, also while the machine is off. */
  async enable(unit: string): Promise<void> {
    await this.#systemctlOnFiles("enable", unit);
  }

  async disable(unit: string): Promise<void> {
    await this.#systemctlOnFiles("disable", unit);
  }

  breakNetwork(fault: NetworkFault | undefined): Promise<void> {
    return breakNetwork(this.name, this.#base, fault);
  }

  /** Properties of a unit, as `systemctl show` has them. */
  async show(unit: string, ...properties: readonly string[]): Promise<Readonly<Record<string, string>>> {
    const lines = (await this.must("systemctl", "show", unit, `--property=${properties.join(",")}`)).split("\n");
    return Object.fromEntries(lines.map((line) => [line.slice(0, line.indexOf("=")), line.slice(line.indexOf("=") + 1)]));
  }

  async journal(unit: string): Promise<string> {
    return this.must("journalctl", "--unit", unit, "--output=cat", "--no-pager");
  }

  /** What every boot so far has written on the console. */
  console(): string {
    return readFileSync(this.#consoleLog, "utf8");
  }

  /** The arguments of each start of kubelet so far. */
  kubeletStarts(): readonly (readonly string[])[] {
    const path = "/var/lib/fake-kubelet/starts";
    if (!this.exists(path)) return [];
    return this.read(path).trim().split("\n").map((line) => JSON.parse(line) as string[]);
  }

  async [Symbol.asyncDispose](): Promise<void> {
    if (this.#boot !== undefined) await this.crash();
    await this.cloud.close();
    await removeNetwork(this.name);
    await must(["umount", join(this.#folder, "root")]);
    await removeControlGroups(this.name);
    rmSync(this.#folder, { recursive: true });
  }

  async #systemctlOnFiles(verb: string, unit: string): Promise<void> {
    const env = { PATH: process.env["PATH"] ?? "", SYSTEMD_OFFLINE: "1" };
    await must(["chroot", this.#path("/"), "systemctl", "--quiet", verb, unit], { env });
  }

  get #running(): Boot {
    if (this.#boot === undefined) throw new Error(`The bed "${this.name}" is off`);
    return this.#boot;
  }

  get #consoleLog(): string {
    return join(this.#folder, "console");
  }

  #path(path: string): string {
    // What is mounted inside, such as /run, only its own processes see.
    return this.#boot === undefined ? join(this.#folder, "root", path) : join(`/proc/${this.#boot.leader}/root`, path);
  }

  async #gone(): Promise<void> {
    await this.#running.off;
    this.#boot = undefined;
  }
}
