import { type JsonObject, printJson } from "../lib/json.ts";
import { mergeJson } from "../lib/merge-json.ts";
import { PATHS } from "../lib/paths.ts";
import { sourced } from "../lib/sourced.ts";
import type { PlannedFile } from "../plan/plan.ts";
import type { Node } from "../resolve/node.ts";
import { plannedFile } from "./file.ts";

/** The OCI spec that containers start from. Not written where a replacement config of containerd does not name it. */
export function renderBaseRuntimeSpec({ containerd }: Node): readonly PlannedFile[] {
  if (containerd.replacement !== undefined && !containerd.replacement.value.includes(PATHS.containerdBaseSpec)) return [];
  const { value } = mergeJson([sourced(BASE_RUNTIME_SPEC, "default"), ...containerd.baseRuntimeSpec]);
  return [plannedFile(PATHS.containerdBaseSpec, printJson(value), { comparedAs: "json" })];
}

const CAPABILITIES = [
  "CAP_AUDIT_WRITE", "CAP_CHOWN", "CAP_DAC_OVERRIDE", "CAP_FOWNER", "CAP_FSETID", "CAP_KILL", "CAP_MKNOD", "CAP_NET_BIND_SERVICE",
  "CAP_NET_RAW", "CAP_SETFCAP", "CAP_SETGID", "CAP_SETPCAP", "CAP_SETUID", "CAP_SYS_CHROOT",
];

function mount(destination: string, type: string, options: readonly string[]): JsonObject {
  return { destination, type, source: type, options };
}

/** Source: the spec that nodeadm writes. */
const BASE_RUNTIME_SPEC: JsonObject = {
  ociVersion: "1.1.0",
  process: {
    cwd: "/",
    noNewPrivileges: true,
    user: { uid: 0, gid: 0 },
    rlimits: [{ type: "RLIMIT_NOFILE", soft: 65536, hard: 1048576 }],
    capabilities: { bounding: CAPABILITIES, effective: CAPABILITIES, permitted: CAPABILITIES },
  },
  root: { path: "rootfs" },
  mounts: [
    mount("/dev", "tmpfs", ["nosuid", "strictatime", "mode=755", "size=65536k"]),
    mount("/dev/mqueue", "mqueue", ["nosuid", "noexec", "nodev"]),
    mount("/dev/pts", "devpts", ["nosuid", "noexec", "newinstance", "ptmxmode=0666", "mode=0620", "gid=5"]),
    mount("/proc", "proc", ["nosuid", "noexec", "nodev"]),
    mount("/sys", "sysfs", ["nosuid", "noexec", "nodev", "ro"]),
  ],
  linux: {
    namespaces: ["ipc", "mount", "network", "pid", "uts"].map((type) => ({ type })),
    resources: { devices: [{ allow: false, access: "rwm" }] },
    maskedPaths: [
      "/proc/acpi", "/proc/asound", "/proc/kcore", "/proc/keys", "/proc/latency_stats", "/proc/sched_debug", "/proc/scsi",
      "/proc/timer_list", "/proc/timer_stats", "/sys/firmware",
    ],
    readonlyPaths: ["/proc/bus", "/proc/fs", "/proc/irq", "/proc/sys", "/proc/sysrq-trigger"],
  },
};
