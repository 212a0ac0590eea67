import { execFileSync, spawnSync } from "node:child_process";
import { cpSync, mkdirSync, readdirSync, realpathSync } from "node:fs";
import { dirname, join } from "node:path";
import { type Architecture, ARCHITECTURES, HOST } from "./architecture.ts";
import { findTool } from "./tool.ts";

/** What a machine says of itself in a root directory of its own: an m5.large, with the kernel settings that kubelet demands. */
export const MACHINE_FILES: Readonly<Record<string, string>> = {
  "/etc/eks/kubelet-version.txt": "v1.29.3\n",
  "/etc/eks/containerd-version.txt": "1.7.11\n",
  "/usr/lib/systemd/system/containerd.service": "[Service]\nExecStart=/usr/bin/containerd\n",
  "/proc/meminfo": "MemTotal:        7934428 kB\n",
  "/proc/swaps": "Filename Type Size Used Priority\n",
  "/proc/self/mounts": "proc /proc proc rw 0 0\n",
  "/proc/sys/vm/overcommit_memory": "1\n",
  "/proc/sys/vm/panic_on_oom": "0\n",
  "/proc/sys/kernel/panic": "10\n",
  "/proc/sys/kernel/panic_on_oops": "1\n",
  "/proc/sys/kernel/keys/root_maxkeys": "1000000\n",
  "/proc/sys/kernel/keys/root_maxbytes": "25000000\n",
  "/sys/fs/cgroup/cgroup.controllers": "cpu memory pids\n",
  "/dev/null": "",
};

/** Copies a program of this machine below `root`, with the libraries that it is linked with. */
export function install(root: string, program: string, target: string): void {
  const linked = execFileSync("ldd", [program], { encoding: "utf8" });
  const libraries = [...linked.matchAll(/(\/[^\s]+) \(0x/g)].map(([, library = ""]) => library);
  for (const [from, to] of [[program, target], ...libraries.map((library) => [library, library])] as const) copy(from, root + to);
}

/** The same with a program of another architecture, and what runs it here; the words before it. */
export function installForeign(root: string, arch: Architecture, program: string, target: string): readonly string[] {
  if (arch === HOST) {
    install(root, program, target);
    return [];
  }
  const { qemu, gnu } = ARCHITECTURES[arch];
  const emulator = findTool(qemu);
  if (emulator === undefined) throw new Error(`${qemu} is not on the PATH`);
  copy(emulator, `${root}/usr/bin/${qemu}`);
  copy(program, root + target);
  const libraries = `/usr/${gnu}/lib`;
  for (const name of readdirSync(libraries).filter((one) => /\.so\.\d+$/.test(one))) copy(join(libraries, name), `${root}${libraries}/${name}`);
  return [`/usr/bin/${qemu}`, "-L", `/usr/${gnu}`];
}

function copy(from: string, to: string): void {
  mkdirSync(dirname(to), { recursive: true });
  cpSync(realpathSync(from), to);
}

/** The words by which a program is run with another root directory; undefined where this machine lets this user do no such thing. */
export function wayIntoRoot(): ((root: string) => readonly string[]) | undefined {
  const chroot = findTool("chroot");
  const unshare = findTool("unshare");
  const asRoot = [chroot];
  const asUser = [unshare, "--user", "--map-root-user", chroot];
  for (const words of [asRoot, asUser]) {
    const [program, ...args] = words.filter((word) => word !== undefined);
    if (program === undefined || args.length < words.length - 1) continue;
    if (spawnSync(program, [...args, "/", process.execPath, "--version"]).status === 0) return (root) => [program, ...args, root];
  }
  return undefined;
}
