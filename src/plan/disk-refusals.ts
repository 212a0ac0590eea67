import { AgentError } from "../errors.ts";
import type { Mount } from "../lib/mount-info.ts";
import type { MountableVolume } from "./compare-array.ts";
import type { ObservedArray, ObservedDisk, PlannedDirectory } from "./plan.ts";

/** @throws AgentError "disks-in-use" if there is any of them */
export function refuseDisks(disks: readonly ObservedDisk[]): void {
  if (disks.length === 0) return;
  throw new AgentError("disks-in-use", `Cannot make an array of the local disks: ${disks.map(showContents).join("; ")}`, {
    remedy: `Nothing was changed. If nobody needs that, unmount it and clear it (wipefs --all ${disks.map(({ device }) => device).join(" ")}), then run eks-node-agent again; else ask for mount, which leaves such disks alone, or for none.`,
  });
}

/** @throws AgentError "disks-in-use" unless these are parts of one array, such as is planned */
export function refuseOtherArray(arrays: readonly ObservedArray[], level: string, disks: readonly ObservedDisk[]): void {
  const [array] = arrays;
  if (array === undefined || (arrays.every(({ uuid }) => uuid === array.uuid) && array.level === level && array.disks === disks.length)) return;
  const found = [...new Map(arrays.map((one) => [one.uuid, one])).values()].map((one) => `${one.device ?? one.name} (${one.level} of ${one.disks} disks)`);
  throw new AgentError("disks-in-use", `Cannot make one ${level} of ${disks.map(({ device }) => device).join(", ")}: they are parts of ${found.join(" and ")}`, {
    remedy: "Nothing was changed. See mdadm --examine; for another layout replace the node, and where a disk is missing stop and start the instance.",
  });
}

/** @throws AgentError "disks-in-use" when another file system is mounted where the volume's is to be */
export function refuseOtherVolume({ volume: { mountPoint }, number }: MountableVolume, mount: Mount | undefined): void {
  if (mount === undefined || mount.device === number) return;
  throw new AgentError("disks-in-use", `Cannot mount local disks at "${mountPoint}": something else is mounted there`, { remedy: `Nothing was changed. See findmnt ${mountPoint}: unmount that, or choose another place by mountPath.` });
}

/** @throws AgentError "disks-in-use" when the directory is a mount of somebody else's, or something is mounted in it, as is for pods that run */
export function refuseMount({ path }: PlannedDirectory, mounts: readonly Mount[]): void {
  const inside = mounts.filter(({ mountPoint }) => mountPoint.startsWith(`${path}/`));
  const isMounted = mounts.some(({ mountPoint }) => mountPoint === path);
  if (!isMounted && inside.length === 0) return;
  const why = isMounted ? "something else is mounted there" : `${inside.length} file ${inside.length === 1 ? "system is" : "systems are"} mounted in it, such as ${inside[0]?.mountPoint ?? ""}`;
  const remedy = isMounted ? `See findmnt ${path}: leave the directory out by disabledMounts, or remove that mount.` : "Pods run from it. Replace the node; or drain it, reboot it, and run eks-node-agent before kubelet starts pods.";
  throw new AgentError("disks-in-use", `Cannot move "${path}" to the local disks: ${why}`, { remedy: `Nothing was changed. ${remedy}` });
}

/** "/dev/nvme1n1 holds a file system (ext4), mounted at /data" */
export function showContents({ device, holds, mountPoint }: ObservedDisk): string {
  const place = mountPoint === undefined ? "" : `, mounted at ${mountPoint}`;
  switch (holds.kind) {
    case "nothing":
      return `${device} is blank${place}`;
    case "file-system":
      return `${device} holds a file system (${[holds.type, holds.label].filter((part) => part !== "").join(", ")})${place}`;
    case "array-member":
      return `${device} is a part of the array ${holds.array.name === "" ? holds.array.uuid : holds.array.name} (${holds.array.level})`;
    case "other":
      return `${device} holds ${holds.what}${place}`;
  }
}
