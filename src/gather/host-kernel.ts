import { existsSync, readdirSync } from "node:fs";
import type { HostFacts } from "../resolve/facts.ts";
import { ifThere, readHostFile } from "./read-host-file.ts";

type KernelFacts = Pick<HostFacts, "memoryMiB" | "cgroupVersion" | "swapOn" | "fips" | "nvidiaDevice" | "bpfMounted" | "sysctls">;

/** What the running kernel says in /proc and /sys. */
export function gatherKernel(root: string, sysctls: readonly string[]): KernelFacts {
  const kernel = kernelRoot(root);
  return {
    memoryMiB: readMemoryMiB(kernel),
    cgroupVersion: readCgroupVersion(kernel),
    swapOn: readSwapOn(kernel),
    fips: readFips(kernel),
    nvidiaDevice: readNvidiaDevice(kernel),
    bpfMounted: readBpfMounted(kernel),
    sysctls: readSysctls(kernel, sysctls),
  };
}

/** Whether the kernel, of the tree at `root` if that has one, is in FIPS mode. */
export function isFipsOn(root: string): boolean {
  return readFips(kernelRoot(root));
}

/** A tree that is being built has no kernel of its own: the one that runs is asked, unless /proc is below `root` as well. */
function kernelRoot(root: string): string {
  return existsSync(`${root}/proc/meminfo`) ? root : "";
}

function readMemoryMiB(kernel: string): number {
  const text = readHostFile(`${kernel}/proc/meminfo`) ?? "";
  const kibibytes = /^MemTotal:\s+(\d+) kB$/m.exec(text)?.[1];
  if (kibibytes === undefined) throw new Error(`${kernel}/proc/meminfo has no line "MemTotal: … kB"`);
  return Math.floor(Number(kibibytes) / 1024);
}

function readCgroupVersion(kernel: string): 1 | 2 {
  // Only the root of the unified hierarchy has it; with version 1, or both, /sys/fs/cgroup is a tmpfs of controllers.
  return existsSync(`${kernel}/sys/fs/cgroup/cgroup.controllers`) ? 2 : 1;
}

function readSwapOn(kernel: string): boolean {
  const [, ...areas] = (readHostFile(`${kernel}/proc/swaps`) ?? "").trim().split("\n");
  return areas.length > 0;
}

function readFips(kernel: string): boolean {
  return readHostFile(`${kernel}/proc/sys/crypto/fips_enabled`)?.trim() === "1";
}

const NVIDIA = "0x10de";

function readNvidiaDevice(kernel: string): boolean {
  const devices = `${kernel}/sys/bus/pci/devices`;
  const names = ifThere(devices, () => readdirSync(devices)) ?? [];
  return names.some((name) => readHostFile(`${devices}/${name}/vendor`)?.trim() === NVIDIA);
}

function readBpfMounted(kernel: string): boolean {
  const mounts = readHostFile(`${kernel}/proc/self/mounts`) ?? "";
  return mounts.split("\n").some((line) => {
    const [, target, type] = line.split(" ");
    return type === "bpf" || target === "/sys/fs/bpf";
  });
}

/** A setting that the kernel lacks, or hides, is missing. */
function readSysctls(kernel: string, names: readonly string[]): Readonly<Record<string, number>> {
  const entries = names.map((name) => [name, Number.parseInt(readHostFile(`${kernel}/proc/sys/${name.replaceAll(".", "/")}`) ?? "", 10)] as const);
  return Object.fromEntries(entries.filter(([, value]) => !Number.isNaN(value)));
}
