import { createHash } from "node:crypto";
import { existsSync, mkdirSync, readdirSync, readFileSync, renameSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { must } from "./execute.ts";

/** What is made or fetched once, and used by every later run. */
export const CACHE = process.env["EKS_NODE_AGENT_BED_CACHE"] ?? "/var/cache/eks-node-agent-bed";

const PACKAGES = [
  ...["systemd", "systemd-sysv", "dbus", "util-linux", "mount", "procps", "iproute2", "nftables", "ca-certificates", "curl"],
  ...["cloud-init", "containerd", "rpm", "strace", "jq", "libstdc++6"],
  // For machines with a kernel and disks of their own.
  ...["udev", "kmod", "mdadm", "xfsprogs"],
];

const NOT_UNPACKED = [
  "/usr/share/man/*",
  "/usr/share/doc/*",
  "/usr/share/locale/*",
  // cloud-init would wait a minute for an answer to it.
  "/sbin/dhclient",
];

/** Shell commands for the new root, "$1". */
const CHANGES = [
  // In a container cloud-init sees no firmware to tell it that this is EC2, and then does not use IMDSv2: it looks here instead.
  `f="$1/usr/lib/python3/dist-packages/cloudinit/sources/DataSourceEc2.py"; sed -i s#/sys/hypervisor/uuid#/etc/bed/hypervisor-uuid# "$f" && grep -q /etc/bed/ "$f"`,
  `mkdir -p "$1/etc/bed" && echo ec2e1916-9099-7caf-fd21-012345abcdef > "$1/etc/bed/hypervisor-uuid"`,
  `rm -f "$1/etc/hostname"; : > "$1/etc/resolv.conf"; : > "$1/etc/machine-id"; mkdir -p "$1/var/log/journal"`,
  // What is of no use in a bed, and makes work while tests run.
  `rm -f "$1"/etc/systemd/system/timers.target.wants/* "$1"/etc/systemd/system/getty.target.wants/*`,
  // As on images of EKS: the agent starts it.
  `chroot "$1" systemctl disable --quiet containerd.service`,
];

/** Folder of the root that every bed is laid over: this machine's own distribution, with real systemd, cloud-init and containerd. Made once, in about 70 s. */
export async function baseRoot(say: (line: string) => void): Promise<string> {
  const { suite, sources } = distribution();
  const folder = join(CACHE, digest([suite, ...PACKAGES, ...NOT_UNPACKED, ...CHANGES]));
  const root = join(folder, "root");
  if (existsSync(join(folder, "made"))) return root;

  say(`Making the beds' root in "${folder}", once: it takes about a minute.`);
  removeOthers();
  const temporary = join(CACHE, `new.${process.pid}`);
  mkdirSync(temporary, { recursive: true });
  const excludes = NOT_UNPACKED.map((path) => `--dpkgopt=path-exclude=${path}`);
  const hooks = CHANGES.map((command) => `--customize-hook=${command}`);
  const apt = ['--aptopt=APT::Install-Recommends "false"', '--aptopt=Acquire::Languages "none"'];
  await must(["mmdebstrap", "--quiet", "--variant=minbase", `--include=${PACKAGES.join(",")}`, ...apt, ...excludes, ...hooks, suite, join(temporary, "root"), ...sources], { timeoutMs: 600_000 });
  writeFileSync(join(temporary, "made"), "");
  renameSync(temporary, folder);
  return root;
}

function removeOthers(): void {
  mkdirSync(CACHE, { recursive: true });
  const roots = readdirSync(CACHE).filter((name) => /^([0-9a-f]{16}|new\.\d+)$/.test(name));
  for (const name of roots) rmSync(join(CACHE, name), { recursive: true, force: true });
}

/** This machine's release, from where it gets its own packages. */
function distribution(): { readonly suite: string; readonly sources: readonly string[] } {
  const suite = /^VERSION_CODENAME=(.*)$/m.exec(readFileSync("/etc/os-release", "utf8"))?.[1];
  if (suite === undefined) throw new Error('"/etc/os-release" has no VERSION_CODENAME: the beds are made from packages of Debian or Ubuntu');
  const files = ["debian.sources", "ubuntu.sources"].map((name) => join("/etc/apt/sources.list.d", name));
  return { suite, sources: files.filter((file) => existsSync(file)) };
}

function digest(parts: readonly string[]): string {
  return createHash("sha256").update(parts.join("\n")).digest("hex").slice(0, 16);
}
