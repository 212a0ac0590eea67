import { access, readdir } from "node:fs/promises";
import type { HostFacts } from "../resolve/facts.ts";
import { readHostFile, undefinedIfAbsent } from "./read-host-file.ts";

type KernelFacts = Pick<HostFacts, "memoryMiB" | "cgroupVersion" | "swapOn" | "fips" | "nvidiaDevice" | "bpfMounted" | "sysctls">;

/** What the running kernel says in /proc and /sys. */
export async function gatherKernel(root: string, sysctls: readonly string[]): Promise<KernelFacts> {
  const kernel = await kernelRoot(root);
  const [memoryMiB, cgroupVersion, swapOn, fips, nvidiaDevice, bpfMounted, settings] = await Promise.all([
    readMemoryMiB(kernel),
    readCgroupVersion(kernel),
    readSwapOn(kernel),
    readFips(kernel),
    readNvidiaDevice(kernel),
    readBpfMounted(kernel),
    readSysctls(kernel, sysctls),
  ]);
  return { memoryMiB, cgroupVersion, swapOn, fips, nvidiaDevice, bpfMounted, sysctls: settings };
}

/** Whether the kernel, of the tree at `root` if that has one, is in FIPS mode. */
export async function isFipsOn(root: string): Promise<boolean> {
  return readFips(await kernelRoot(root));
}

/** A tree that is being built has no kernel of its own: the one that runs is asked, unless /proc is below `root` as well. */
async function kernelRoot(root: string): Promise<string> {
  return (await exists(`${root}/proc/meminfo`)) ? root : "";
}

async function readMemoryMiB(kernel: string): Promise<number> {
  const text = (await readHostFile(`${kernel}/proc/meminfo`)) ?? "";
  const kibibytes = /^MemTotal:\s+(\d+) kB$/m.exec(text)?.[1];
  if (kibibytes === undefined) throw new Error(`${kernel}/proc/meminfo has no line "MemTotal: … kB"`);
  return Math.floor(Number(kibibytes) / 1024);
}

async function readCgroupVersion(kernel: string): Promise<1 | 2> {
  // Only the root of the unified hierarchy has it; with version 1, or both, /sys/fs/cgroup is a tmpfs of controllers.
  return (await exists(`${kernel}/sys/fs/cgroup/cgroup.controllers`)) ? 2 : 1;
}

async function readSwapOn(kernel: string): Promise<boolean> {
  const [, ...areas] = ((await readHostFile(`${kernel}/proc/swaps`)) ?? "").trim().split("\n");
  return areas.length > 0;
}

async function readFips(kernel: string): Promise<boolean> {
  return (await readHostFile(`${kernel}/proc/sys/crypto/fips_enabled`))?.trim() === "1";
}

const NVIDIA = "0x10de";

async function readNvidiaDevice(kernel: string): Promise<boolean> {
  const devices = `${kernel}/sys/bus/pci/devices`;
  const names = (await readdir(devices).catch(undefinedIfAbsent(devices))) ?? [];
  const vendors = await Promise.all(names.map((name) => readHostFile(`${devices}/${name}/vendor`)));
  return vendors.some((vendor) => vendor?.trim() === NVIDIA);
}

async function readBpfMounted(kernel: string): Promise<boolean> {
  const mounts = (await readHostFile(`${kernel}/proc/self/mounts`)) ?? "";
  return mounts.split("\n").some((line) => {
    const [, target, type] = line.split(" ");
    return type === "bpf" || target === "/sys/fs/bpf";
  });
}

/** A setting that the kernel lacks, or hides, is missing. */
async function readSysctls(kernel: string, names: readonly string[]): Promise<Readonly<Record<string, number>>> {
  const values = await Promise.all(names.map((name) => readHostFile(`${kernel}/proc/sys/${name.replaceAll(".", "/")}`)));
  const entries = names.map((name, index) => [name, Number.parseInt(values[index] ?? "", 10)] as const);
  return Object.fromEntries(entries.filter(([, value]) => !Number.isNaN(value)));
}

async function exists(path: string): Promise<boolean> {
  return access(path).then(
    () => true,
    () => false,
  );
}
