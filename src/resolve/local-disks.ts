import { posix } from "node:path";
import type { NodeConfig } from "../config/node-config.ts";
import { AgentError } from "../errors.ts";
import type { Sourced } from "../lib/sourced.ts";
import type { ContainerRuntime } from "./container-runtime.ts";
import type { Facts } from "./facts.ts";
import type { AddNote } from "./notes.ts";

/** What becomes of the disks of the instance store. */
export type LocalDisks = {
  readonly layout: Sourced<DiskLayout>;
  /** "/dev/nvme1n1": at least one. */
  readonly devices: readonly string[];
  readonly mountPath: Sourced<string>;
  /** What is kept on the array instead of the root volume; nothing where each disk is mounted by itself. */
  readonly directories: readonly LocalDirectory[];
};

export type DiskLayout = "raid0" | "raid10" | "mount";

export type LocalDirectory = {
  readonly path: string;
  /** The units whose programs have files open in it. */
  readonly users: readonly string[];
};

/** The peers' place. */
const MOUNT_PATH = "/mnt/k8s-disks";

/** Less than two mirrored pairs is no RAID 10. */
const LEAST_DISKS_OF_RAID10 = 4;

/** Whether the node's disks must be known. */
export function needsLocalDisks({ instance: { localDisks } }: NodeConfig): boolean {
  return localDisks !== undefined && localDisks.value !== "none";
}

/** @throws AgentError "config-invalid" when the disks are too few, or where they are to be mounted cannot be written into a unit */
export function resolveLocalDisks(config: NodeConfig, { localDisks: devices = [] }: Facts, programs: Programs, addNote: AddNote): LocalDisks | undefined {
  const { localDisks: asked, localDisksMountPath, disabledMounts } = config.instance;
  if (asked === undefined || asked.value === "none") return undefined;
  if (devices.length === 0) {
    addNote("no-local-disks", `${asked.source} asks for local disks (${asked.value}), and this instance has none: all data stay on its root volume.`);
    return undefined;
  }
  refuseTooFew(asked, devices);
  return {
    layout: { value: asked.value, source: asked.source },
    devices,
    mountPath: resolveMountPath(localDisksMountPath),
    directories: asked.value === "mount" ? [] : resolveDirectories(programs, disabledMounts?.value ?? []),
  };
}

/** What runs containers here. */
type Programs = { readonly containerRuntime: ContainerRuntime; readonly snapshotter: "overlayfs" | "soci" };

type Directory = LocalDirectory & { readonly mount?: string; readonly isUsed?: (programs: Programs) => boolean };

const RUNTIME = ["docker.service", "containerd.service"];

const DIRECTORIES: readonly Directory[] = [
  { path: "/var/lib/kubelet", users: ["kubelet.service"] },
  { path: "/var/lib/containerd", users: ["kubelet.service", ...RUNTIME], mount: "Containerd" },
  { path: "/var/log/pods", users: ["kubelet.service", ...RUNTIME], mount: "PodLogs" },
  { path: "/var/lib/soci-snapshotter-grpc", users: ["kubelet.service", ...RUNTIME, "soci-snapshotter.service"], mount: "SOCI", isUsed: ({ snapshotter }) => snapshotter === "soci" },
];

function resolveDirectories(programs: Programs, disabled: readonly string[]): readonly LocalDirectory[] {
  return DIRECTORIES.filter(({ mount, isUsed }) => (mount === undefined || !disabled.includes(mount)) && (isUsed?.(programs) ?? true)).map(({ path, users }) => ({
    path,
    users: users.filter((unit) => isOfRuntime(unit, programs)),
  }));
}

function isOfRuntime(unit: string, { containerRuntime, snapshotter }: Programs): boolean {
  if (unit === "docker.service") return containerRuntime === "dockerd";
  return unit !== "soci-snapshotter.service" || snapshotter === "soci";
}

function refuseTooFew({ value, source }: Sourced<string>, devices: readonly string[]): void {
  if (value !== "raid10" || devices.length >= LEAST_DISKS_OF_RAID10) return;
  const found = `${devices.length} (${devices.join(", ")})`;
  throw new AgentError("config-invalid", `Cannot make a RAID 10, which ${source} asks for: it takes ${LEAST_DISKS_OF_RAID10} disks, and this instance has ${found}`, {
    remedy: "Ask for raid0 or mount, or choose an instance type with more disks.",
  });
}

function resolveMountPath(given: Sourced<string> | undefined): Sourced<string> {
  if (given === undefined) return { value: MOUNT_PATH, source: "default" };
  // systemd takes a backslash at the end of a line, and white space there, for its own.
  if (!/\\|\s$/.test(given.value)) return { value: posix.resolve(given.value), source: given.source };
  throw new AgentError("config-invalid", `Cannot mount local disks below ${JSON.stringify(given.value)} (${given.source}): a mount unit cannot carry a backslash, or white space at the end`, {
    remedy: `Choose another path, such as ${MOUNT_PATH}.`,
  });
}
