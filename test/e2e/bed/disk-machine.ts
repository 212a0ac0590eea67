import { type ChildProcess, spawn } from "node:child_process";
import { once } from "node:events";
import { closeSync, cpSync, existsSync, mkdirSync, openSync, readdirSync, readFileSync, renameSync, rmSync, symlinkSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import type { Bed } from "./bed.ts";
import { type Ended, must } from "./execute.ts";
import { umlKernel } from "./uml.ts";
import { until } from "./until.ts";

/** The kernel's last words. */
const HALTED = "reboot: System halted";

/** The disks' order gives their names: /dev/ubdb is the first. */
const LETTERS = "bcdefghi";

/** Modules that the kernel of user-mode-linux has not built in. */
const MODULES = ["md/md-mod", "md/raid0", "md/raid10"];

/** Units of the distribution that take time and are of no use here, as are its generators, which run at every daemon-reload. */
const MASKED = ["systemd-binfmt", "systemd-hwdb-update", "systemd-journal-catalog-update", "systemd-journal-flush", "systemd-random-seed", "systemd-pstore", "systemd-firstboot", "systemd-sysusers", "ldconfig", "apparmor", "mdmonitor", "e2scrub_reap"];

/** What the machine has beside what every bed has. */
const FILES: Readonly<Record<string, string>> = {
  // No disk of user-mode-linux is NVMe; what udev says of them is what it says of those of an instance store.
  "/etc/udev/rules.d/99-bed.rules": 'SUBSYSTEM=="block", KERNEL=="ubd[b-i]", SYMLINK+="disk/by-id/nvme-Amazon_EC2_NVMe_Instance_Storage_AWS$kernel"\n',
  "/etc/systemd/system/bed.target": "[Unit]\nRequires=basic.target\nWants=multi-user.target\nAllowIsolate=yes\n",
  "/etc/systemd/system/take-orders.service": "[Unit]\nDefaultDependencies=no\nAfter=sysinit.target dbus.socket\n[Service]\nExecStart=/usr/local/bin/take-orders\n[Install]\nWantedBy=multi-user.target\n",
  "/etc/systemd/system/systemd-udev-trigger.service.d/bed.conf": "[Service]\nExecStart=\nExecStart=udevadm trigger --type=devices --action=add --subsystem-match=block\n",
};

/**
 * A machine with real disks and a kernel that makes arrays of them; a bed that is off, and stays so, has its root and its AWS.
 * It starts without disks.
 */
export async function makeDiskMachine(bed: Bed): Promise<DiskMachine> {
  const kernel = await umlKernel();
  const modules = join(dirname(dirname(kernel)), "lib/uml/modules");
  const [version = ""] = readdirSync(modules);
  for (const module of [...MODULES.map((name) => `kernel/drivers/${name}.ko`), "modules.builtin", "modules.order"]) {
    cpSync(join(modules, version, module), join(bed.outside("/lib/modules"), version, module));
  }
  await must(["chroot", bed.outside("/"), "depmod", version]);
  for (const [path, contents] of Object.entries(FILES)) bed.write(path, contents);
  bed.write("/usr/local/bin/take-orders", readFileSync(join(import.meta.dirname, "files/take-orders"), "utf8"), 0o755);
  for (const unit of MASKED) mask(bed, `/etc/systemd/system/${unit}.service`);
  for (const generator of readdirSync(bed.outside("/lib/systemd/system-generators"))) mask(bed, `/etc/systemd/system-generators/${generator}`);
  await bed.enable("take-orders.service");
  // Its addresses are the machine's: the kernel here would refuse what it knows nothing of.
  await must(["ip", "-n", bed.name, "addr", "flush", "dev", "eth0"]);
  return new DiskMachine(bed, kernel);
}

function mask(bed: Bed, path: string): void {
  mkdirSync(dirname(bed.outside(path)), { recursive: true });
  symlinkSync("/dev/null", bed.outside(path));
}

/** Paths are the machine's own; what lies on its disks is not seen from outside. */
export class DiskMachine {
  readonly bed: Bed;
  readonly #kernel: string;
  #process: ChildProcess | undefined;
  #turn = 0;

  constructor(bed: Bed, kernel: string) {
    this.bed = bed;
    this.#kernel = kernel;
  }

  /** Puts blank disks in the place of those that it has, as a stop and a start of an instance do. */
  async giveBlankDisks(count: number): Promise<void> {
    for (const letter of LETTERS) rmSync(this.#disk(letter), { force: true });
    for (const letter of LETTERS.slice(0, count)) await this.giveBlankDisk(letter);
  }

  async giveBlankDisk(letter: string): Promise<void> {
    rmSync(this.#disk(letter), { force: true });
    await must(["truncate", "--size=400M", this.#disk(letter)]);
  }

  /** Where a disk's contents are for a process of this machine. */
  disk(letter: string): string {
    return this.#disk(letter);
  }

  /** Returns when it takes orders. */
  async boot(): Promise<void> {
    const orders = this.bed.outside("/bed");
    rmSync(orders, { recursive: true, force: true });
    mkdirSync(orders);
    this.#turn = 0;
    const folder = this.#folder;
    const disks = [...LETTERS].filter((letter) => existsSync(this.#disk(letter))).map((letter) => `ubd${letter}=${this.#disk(letter)}`);
    // In a namespace of processes that ends with its first one: the kernel starts others.
    const alone = [`--net=/run/netns/${this.bed.name}`, "unshare", "--pid", "--fork", "--kill-child"];
    const root = ["rootfstype=hostfs", `rootflags=${this.bed.outside("/")}`, "root=/dev/root", "rw", "init=/lib/systemd/systemd", "systemd.unit=bed.target"];
    const machine = ["mem=1G", ...root, ...disks, "vec0:transport=raw,ifname=eth0,depth=128,gro=0", `uml_dir=${folder}`, "quiet", "con=null", "con0=null,fd:1", "con1=null,fd:1", "ssl=null"];
    const output = openSync(join(folder, "console"), "a");
    this.#process = spawn("nsenter", [...alone, this.#kernel, ...machine], { stdio: ["ignore", output, output], env: { PATH: process.env["PATH"] ?? "", HOME: folder } });
    closeSync(output);
    await this.must("true");
  }

  /** Runs a program as root, and returns how it ended. */
  async run(argv: readonly string[]): Promise<Ended> {
    const turn = this.#order(argv.map((word) => `'${word.replaceAll("'", "'\\''")}'`).join(" "));
    const path = (what: string): string => this.bed.outside(`/bed/${turn}.${what}`);
    await until(`"${argv.join(" ")}" ends in the machine with disks`, () => this.#isRunning() && existsSync(path("status")), 90_000);
    return { status: Number(readFileSync(path("status"), "utf8")), stdout: readFileSync(path("out"), "utf8"), stderr: readFileSync(path("err"), "utf8") };
  }

  /** Runs a program that must succeed, and returns its stdout without the last newline. */
  async must(...argv: readonly string[]): Promise<string> {
    const { status, stdout, stderr } = await this.run(argv);
    if (status === 0) return stdout.replace(/\n$/, "");
    throw new Error(`In the machine with disks "${argv.join(" ")}" ended with ${status}:\n${stdout}${stderr}`);
  }

  agent(...args: readonly string[]): Promise<Ended> {
    return this.run(["/usr/bin/eks-node-agent", ...args]);
  }

  /** Stops every unit, and unmounts what it can. A kernel that has halted and does not end its process, as happens, is ended. */
  async powerOff(): Promise<void> {
    const before = this.console().length;
    this.#order("systemctl poweroff");
    await until("the machine with disks is off", () => this.#isOff() || this.console().includes(HALTED, before), 90_000).catch((error: Error) => {
      throw new Error(`${error.message}:\n${this.console()}`);
    });
    await until("its process ends", () => this.#isOff(), 3000).catch(() => undefined);
    if (!this.#isOff()) await this.cutPower();
    this.#process = undefined;
  }

  /** Nothing that its kernel has not given to its disks is kept. */
  async cutPower(): Promise<void> {
    const pid = this.#process?.pid;
    const children = pid === undefined ? "" : readFileSync(`/proc/${pid}/task/${pid}/children`, "utf8");
    // The one that started it ends after it, when all of it has gone.
    for (const child of children.split(" ").filter((each) => each !== "")) process.kill(Number(child), "SIGKILL");
    await this.#ended();
  }

  console(): string {
    return readFileSync(join(this.#folder, "console"), "utf8");
  }

  async [Symbol.asyncDispose](): Promise<void> {
    if (this.#process !== undefined) await this.cutPower();
  }

  /** Whole from the moment that it has its name. */
  #order(script: string): number {
    this.#turn += 1;
    const path = this.bed.outside(`/bed/${this.#turn}`);
    writeFileSync(`${path}.new`, `${script}\n`);
    renameSync(`${path}.new`, `${path}.run`);
    return this.#turn;
  }

  #isRunning(): boolean {
    if (this.#process?.exitCode === null) return true;
    throw new Error(`The machine with disks is off:\n${this.console()}`);
  }

  #isOff(): boolean {
    return this.#process === undefined || this.#process.exitCode !== null || this.#process.signalCode !== null;
  }

  async #ended(): Promise<void> {
    if (this.#process !== undefined && !this.#isOff()) await once(this.#process, "exit");
    this.#process = undefined;
  }

  get #folder(): string {
    return dirname(dirname(this.bed.outside("/x")));
  }

  #disk(letter: string): string {
    return join(this.#folder, `disk-${letter}`);
  }
}
