import { execFileSync } from "node:child_process";
import { readFileSync } from "node:fs";
import { availableParallelism } from "node:os";
import { expect, test } from "vitest";
import { gatherHost } from "../../src/gather/host.ts";
import { HOST_TARGETS, told } from "./fixture.ts";
import { withTree } from "./tree.ts";
import type { Entry } from "./tree.ts";

const PROC = { "/proc/meminfo": "MemTotal:        7934567 kB\nMemFree:         1234 kB\n" };

/** What is found in a tree with a kernel's files, changed. */
async function factsOf(entries: Readonly<Record<string, Entry>>): Promise<unknown> {
  return withTree({ ...PROC, ...entries }, (root) => gatherHost(root, HOST_TARGETS));
}

const BARE = {
  cpus: availableParallelism(),
  architecture: process.arch === "arm64" ? "aarch64" : "x86_64",
  memoryMiB: 7748,
  cgroupVersion: 1,
  swapOn: false,
  fips: false,
  nvidiaDevice: false,
  bpfMounted: false,
  sysctls: {},
  programs: {},
  files: {},
  present: [],
  enabledUnits: [],
};

test("a machine that has nothing is a fact as well", async () => {
  expect(await factsOf({})).toEqual(BARE);
});

test.each<[string, Readonly<Record<string, Entry>>, object]>([
  ["cgroup version 2", { "/sys/fs/cgroup/cgroup.controllers": "cpu memory\n" }, { cgroupVersion: 2 }],
  ["swap", { "/proc/swaps": "Filename Type Size Used Priority\n/dev/vdb partition 1 0 -2\n" }, { swapOn: true }],
  ["no swap", { "/proc/swaps": "Filename Type Size Used Priority\n" }, { swapOn: false }],
  ["FIPS", { "/proc/sys/crypto/fips_enabled": "1\n" }, { fips: true }],
  ["no FIPS", { "/proc/sys/crypto/fips_enabled": "0\n" }, { fips: false }],
  ["an NVIDIA device", { "/sys/bus/pci/devices/0000:00:03.0/vendor": "0x1d0f\n", "/sys/bus/pci/devices/0000:00:1e.0/vendor": "0x10de\n" }, { nvidiaDevice: true }],
  ["another device", { "/sys/bus/pci/devices/0000:00:03.0/vendor": "0x1d0f\n" }, { nvidiaDevice: false }],
  ["a bpf file system", { "/proc/self/mounts": "proc /proc proc rw 0 0\nnone /sys/fs/bpf bpf rw 0 0\n" }, { bpfMounted: true }],
  ["a directory that is called bpf", { "/proc/self/mounts": "none /bpf tmpfs rw 0 0\n" }, { bpfMounted: false }],
  ["something else at the place of the bpf file system", { "/proc/self/mounts": "none /sys/fs/bpf tmpfs rw 0 0\n" }, { bpfMounted: true }],
  [
    "kernel settings, without those that the kernel lacks",
    { "/proc/sys/vm/overcommit_memory": "1\n", "/proc/sys/kernel/panic": "-1\n", "/proc/sys/kernel/keys/root_maxkeys": "1000000\n" },
    { sysctls: { "vm.overcommit_memory": 1, "kernel.panic": -1, "kernel.keys.root_maxkeys": 1000000 } },
  ],
  ["a program at its second path, the first being no program", { "/sbin/iptables": "text", "/usr/sbin/iptables": { program: "" } }, { programs: { iptables: "/usr/sbin/iptables" } }],
  ["a program that is a link", { "/usr/bin/real": { program: "" }, "/usr/bin/aws": { link: "real" } }, { programs: { aws: "/usr/bin/aws" } }],
  ["a link that leads nowhere", { "/usr/bin/aws": { link: "gone" } }, { programs: {} }],
  ["a file's text", { "/etc/eks/eni-max-pods.txt": "m5.large 29\n" }, { files: { "/etc/eks/eni-max-pods.txt": "m5.large 29\n" } }],
  ["a file's presence", { "/etc/eks/pause.tar": "" }, { present: ["/etc/eks/pause.tar"] }],
])("%s", async (_, entries, expected) => {
  expect(await factsOf(entries)).toEqual({ ...BARE, ...expected });
});

const UNIT = "/usr/lib/systemd/system/nodeadm-run.service";
const WANTED = "/etc/systemd/system/multi-user.target.wants/nodeadm-run.service";

test.each<[string, Readonly<Record<string, Entry>>, boolean]>([
  ["wanted by a target", { [UNIT]: "", [WANTED]: { link: UNIT } }, true],
  ["required, for this boot", { [UNIT]: "", "/run/systemd/system/x.service.requires/nodeadm-run.service": { link: UNIT } }, true],
  ["installed and not wanted", { [UNIT]: "" }, false],
  ["wanted and no longer installed", { [WANTED]: { link: UNIT } }, false],
  ["wanted and masked", { [UNIT]: "", [WANTED]: { link: UNIT }, "/etc/systemd/system/nodeadm-run.service": { link: "/dev/null" } }, false],
])("a unit that is %s is enabled: %#", async (_, entries, isEnabled) => {
  expect(await factsOf(entries)).toEqual({ ...BARE, enabledUnits: isEnabled ? ["nodeadm-run.service"] : [] });
});

test("a file that is there and is none is an error that names it", async () => {
  const message = await told(withTree({ ...PROC, "/etc/eks/eni-max-pods.txt/x": "" }, (root) => gatherHost(root, HOST_TARGETS)));
  expect(message.replace(/"\/.*\/etc/, '"/etc')).toBe('source-unreadable: Cannot look at "/etc/eks/eni-max-pods.txt", a fact of this host: it is a directory');
});

test("below a root without /proc the running kernel is asked", async () => {
  const kibibytes = /MemTotal:\s+(\d+)/.exec(readFileSync("/proc/meminfo", "utf8"))?.[1];
  await withTree({ "/etc/eks/pause.tar": "" }, (root) => {
    expect(gatherHost(root, HOST_TARGETS)).toMatchObject({ memoryMiB: Math.floor(Number(kibibytes) / 1024), present: ["/etc/eks/pause.tar"] });
  });
});

test("CPUs are counted as nproc counts them, with the process's affinity", () => {
  const script = 'const { availableParallelism } = require("node:os"); process.stdout.write(String(availableParallelism()))';
  const withOne = execFileSync("taskset", ["-c", firstCpu(), process.execPath, "-e", script], { encoding: "utf8" });
  expect([withOne, availableParallelism()]).toEqual(["1", Number(execFileSync("nproc", { encoding: "utf8" }))]);
});

/** The first CPU that this process may run on. */
function firstCpu(): string {
  return /Cpus_allowed_list:\s+(\d+)/.exec(readFileSync("/proc/self/status", "utf8"))?.[1] ?? "0";
}
