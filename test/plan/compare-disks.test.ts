import { describe, expect, it } from "vitest";
import type { Mount } from "../../src/lib/mount-info.ts";
import { compare } from "../../src/plan/compare.ts";
import type { Comparison, DiskContents, ObservedArray, ObservedUnit, Plan, PlannedDisks } from "../../src/plan/plan.ts";
import { file, found, observed, plan, running, unit } from "./plans.ts";

const VOLUME = { label: "k8s-disks-0", mountPoint: "/mnt/k8s-disks/0", unit: "mnt-k8s\\x2ddisks-0.mount" };
const KUBELET = { path: "/var/lib/kubelet", source: "/mnt/k8s-disks/0/kubelet", unit: "var-lib-kubelet.mount", users: ["kubelet.service"] };
const UNIT_FILE = file("/etc/systemd/system/var-lib-kubelet.mount");
const MOUNT_UNITS = [running(VOLUME.unit), running(KUBELET.unit)];

const raid = (layout: "raid0" | "raid10", count: number): PlannedDisks => ({ layout, devices: devices(count), volumes: [VOLUME], directories: [KUBELET], unitFiles: [UNIT_FILE.path] });
const devices = (count: number): string[] => Array.from({ length: count }, (_, index) => `/dev/nvme${index + 1}n1`);
const planWith = (disks: PlannedDisks): Plan => ({ ...plan([UNIT_FILE, file("/var/lib/kubelet/kubeconfig")], [unit("containerd.service"), unit("kubelet.service")]), disks });

const NOTHING: DiskContents = { kind: "nothing" };
const EXT4: DiskContents = { kind: "file-system", type: "ext4", label: "data" };
const OWN = { kind: "file-system", type: "xfs", label: "k8s-disks-0" } as const;
const ARRAY: ObservedArray = { uuid: "u1", name: "kubernetes", level: "raid0", disks: 2, device: "/dev/md127", number: "9:127", isRunning: true, holds: OWN };
const member = (changes: Partial<ObservedArray> = {}): DiskContents => ({ kind: "array-member", array: { ...ARRAY, ...changes } });
const AT_REST = { device: undefined, number: undefined, isRunning: false, holds: { kind: "nothing" } } as const;
const PARTIAL = { ...AT_REST, device: "/dev/md127", number: "9:127" };
const MOUNTED: Mount = { mountPoint: "/mnt/k8s-disks/0", root: "/", device: "9:127" };
const BOUND: Mount = { mountPoint: "/var/lib/kubelet", root: "/kubelet", device: "9:127" };

type Found = { readonly holds: readonly DiskContents[]; readonly mounts?: readonly Mount[]; readonly units?: readonly ObservedUnit[]; readonly mountPoint?: string };

/** With all files as planned, and the units of the mounts enabled. */
function comparison(disks: PlannedDisks, { holds, mounts = [], units = MOUNT_UNITS, mountPoint }: Found): Comparison {
  const world = observed({ [UNIT_FILE.path]: found(UNIT_FILE.contents) }, units);
  const each = holds.map((one, index) => ({ device: `/dev/nvme${index + 1}n1`, number: `259:${index + 1}`, holds: one, mountPoint: index === 0 ? mountPoint : undefined }));
  return compare(planWith(disks), { ...world, disks: { disks: each, mounts } });
}

const REST = ["write /var/lib/kubelet/kubeconfig", "enable containerd.service", "enable kubelet.service", "start containerd.service", "start kubelet.service"];
const MOUNT_ALL = ["mount /mnt/k8s-disks/0", "copy /var/lib/kubelet", "mount /var/lib/kubelet"];

function stepsOf({ changes }: Comparison): readonly string[] {
  return changes.map((change) => {
    switch (change.kind) {
      case "write-file":
        return `write ${change.file.path}`;
      case "create-array":
        return `create ${change.level} of ${change.devices.length}${change.leftovers.length > 0 ? `, clearing ${change.leftovers.join(" ")}` : ""}${change.stop === undefined ? "" : `, stopping ${change.stop}`}`;
      case "assemble-array":
        return `assemble ${change.devices.join(" ")}${change.stop === undefined ? "" : `, stopping ${change.stop}`}`;
      case "make-file-system":
        return `format ${change.device} as ${change.label}`;
      case "mount":
        return `mount ${change.mountPoint}`;
      case "copy-directory":
        return `copy ${change.from}`;
      case "stop-unit":
        return `stop ${change.unit}`;
      case "enable-unit":
        return `enable ${change.unit}`;
      case "start-unit":
        return `start ${change.unit}`;
      case "reload-systemd":
      case "remove-block":
      case "remove-file":
      case "restart-unit":
      case "write-block":
        return change.kind;
    }
  });
}

describe("an array", () => {
  it.each<[string, PlannedDisks, Found, readonly string[]]>([
    ["of blank disks is made", raid("raid0", 2), { holds: [NOTHING, NOTHING] }, ["create raid0 of 2", "format /dev/md/kubernetes as k8s-disks-0", ...MOUNT_ALL]],
    ["of one disk is made as well", raid("raid0", 1), { holds: [NOTHING] }, ["create raid0 of 1", "format /dev/md/kubernetes as k8s-disks-0", ...MOUNT_ALL]],
    ["of four is a RAID 10", raid("raid10", 4), { holds: [NOTHING, NOTHING, NOTHING, NOTHING] }, ["create raid10 of 4", "format /dev/md/kubernetes as k8s-disks-0", ...MOUNT_ALL]],
    ["that is there and at rest is assembled, not formatted", raid("raid0", 2), { holds: [member(AT_REST), member(AT_REST)] }, ["assemble /dev/nvme1n1 /dev/nvme2n1", ...MOUNT_ALL]],
    ["without a file system yet gets one, which a killed run has not come to", raid("raid0", 2), { holds: [member({ holds: { kind: "nothing" } }), member({ holds: { kind: "nothing" } })] }, ["format /dev/md127 as k8s-disks-0", ...MOUNT_ALL]],
    ["that runs is mounted", raid("raid0", 2), { holds: [member(), member()] }, MOUNT_ALL],
    ["that is mounted lacks the directories", raid("raid0", 2), { holds: [member(), member()], mounts: [MOUNTED] }, MOUNT_ALL.slice(1)],
    ["that lost a disk of RAID 0 is made anew", raid("raid0", 2), { holds: [member(PARTIAL), NOTHING] }, ["create raid0 of 2, clearing /dev/nvme1n1, stopping /dev/md127", "format /dev/md/kubernetes as k8s-disks-0", ...MOUNT_ALL]],
    ["that lost a disk of RAID 10 runs on", raid("raid10", 4), { holds: [member({ level: "raid10", disks: 4 }), NOTHING, member({ level: "raid10", disks: 4 }), member({ level: "raid10", disks: 4 })], mounts: [MOUNTED, BOUND] }, []],
    ["that lost a disk of RAID 10 is assembled without", raid("raid10", 4), { holds: [NOTHING, ...[1, 2, 3].map(() => member({ ...PARTIAL, level: "raid10", disks: 4 }))] }, ["assemble /dev/nvme2n1 /dev/nvme3n1 /dev/nvme4n1, stopping /dev/md127", ...MOUNT_ALL]],
  ])("%s", (_, disks, state, steps) => {
    expect(stepsOf(comparison(disks, state))).toEqual([...steps, ...REST]);
  });

  it("that is as planned needs nothing", () => {
    const world = observed({ [UNIT_FILE.path]: found(UNIT_FILE.contents), "/var/lib/kubelet/kubeconfig": found("contents of /var/lib/kubelet/kubeconfig\n") }, MOUNT_UNITS);
    const disks = [1, 2].map((number) => ({ device: `/dev/nvme${number}n1`, number: `259:${number}`, holds: member(), mountPoint: undefined }));
    expect(compare({ ...planWith(raid("raid0", 2)), units: [] }, { ...world, disks: { disks, mounts: [MOUNTED, BOUND] } }).changes).toEqual([]);
  });

  it("whose unit somebody disabled has it enabled", () => {
    expect(stepsOf(comparison(raid("raid0", 2), { holds: [member(), member()], mounts: [MOUNTED, BOUND], units: [running(VOLUME.unit), running(KUBELET.unit, { unitFileState: "disabled" })] }))).toEqual(["enable var-lib-kubelet.mount", ...REST]);
  });

  it.each([
    [raid("raid0", 2), [member(PARTIAL), NOTHING], "array-lost", "The array kubernetes is lost, since /dev/nvme2n1 came back blank and RAID 0 has no second copy: what /dev/nvme1n1 still has of it is of no use, and it is made anew."],
    [raid("raid10", 4), [member({ level: "raid10", disks: 4 }), NOTHING, member({ level: "raid10", disks: 4 }), member({ level: "raid10", disks: 4 })], "array-degraded", "The array kubernetes runs without /dev/nvme2n1, which is new and blank: its data have fewer copies than they should. Replace the node, or see `mdadm --manage --add`."],
  ])("that lost a disk is a note (%#)", (disks, holds, code, message) => {
    expect(comparison(disks, { holds }).notes).toEqual([{ code, message }]);
  });
});

describe("the steps around an array", () => {
  it("begin with the units that keep a reboot right, and stop who uses a directory before it is copied", () => {
    const world = observed({}, [running("kubelet.service"), running("containerd.service")]);
    const disks = devices(2).map((device, index) => ({ device, number: `259:${index}`, holds: NOTHING, mountPoint: undefined }));
    expect(stepsOf(compare(planWith(raid("raid0", 2)), { ...world, disks: { disks, mounts: [] } }))).toEqual([
      "write /etc/systemd/system/var-lib-kubelet.mount",
      "reload-systemd",
      "enable mnt-k8s\\x2ddisks-0.mount",
      "enable var-lib-kubelet.mount",
      "create raid0 of 2",
      "format /dev/md/kubernetes as k8s-disks-0",
      "mount /mnt/k8s-disks/0",
      "stop kubelet.service",
      "copy /var/lib/kubelet",
      "mount /var/lib/kubelet",
      "write /var/lib/kubelet/kubeconfig",
      "restart-unit",
      "start kubelet.service",
    ]);
  });

  it("write what lies in a directory that is about to be mounted, whatever is there now, and call it nobody's change", () => {
    const path = "/var/lib/kubelet/kubeconfig";
    const world = observed({ [UNIT_FILE.path]: found(UNIT_FILE.contents), [path]: found(`contents of ${path}\n`) }, MOUNT_UNITS, { files: { [path]: "sha256:1" } });
    const disks = devices(2).map((device, index) => ({ device, number: `259:${index}`, holds: NOTHING, mountPoint: undefined }));
    const { changes } = compare(planWith(raid("raid0", 2)), { ...world, disks: { disks, mounts: [] } });
    expect(changes.flatMap((change) => (change.kind === "write-file" ? [[change.file.path, change.before.kind, change.isDrift]] : []))).toEqual([[path, "absent", false]]);
  });

  it("of another machine take its disks for new", () => {
    expect(stepsOf(compare(planWith(raid("raid0", 2)), observed())).slice(2, 6)).toEqual(["enable mnt-k8s\\x2ddisks-0.mount", "enable var-lib-kubelet.mount", "create raid0 of 2", "format /dev/md/kubernetes as k8s-disks-0"]);
  });

  it("reload systemd when it has not read the units of mounts since they changed", () => {
    const stale = running(VOLUME.unit, { needDaemonReload: true });
    expect(stepsOf(comparison(raid("raid0", 2), { holds: [member(), member()], units: [stale, running(KUBELET.unit)] }))[0]).toBe("reload-systemd");
  });
});

describe("what is left alone", () => {
  const cannot = "Cannot make an array of the local disks: ";
  it.each<[string, PlannedDisks, Found, string]>([
    ["a file system", raid("raid0", 2), { holds: [EXT4, NOTHING], mountPoint: "/data" }, `${cannot}/dev/nvme1n1 holds a file system (ext4, data), mounted at /data`],
    ["partitions", raid("raid0", 2), { holds: [{ kind: "other", what: "a partition table (gpt)" }, EXT4] }, `${cannot}/dev/nvme1n1 holds a partition table (gpt); /dev/nvme2n1 holds a file system (ext4, data)`],
    ["a part of somebody else's array", raid("raid0", 2), { holds: [member({ name: "data" }), NOTHING] }, `${cannot}/dev/nvme1n1 is a part of the array data (raid0)`],
    ["somebody else's file system on an array of the name", raid("raid0", 2), { holds: [member({ holds: { ...OWN, label: "" } }), member({ holds: { ...OWN, label: "" } })] }, `${cannot}/dev/md127 holds a file system (xfs)`],
    ["a disk of its own of an earlier layout", raid("raid0", 2), { holds: [OWN, NOTHING] }, `${cannot}/dev/nvme1n1 holds a file system (xfs, k8s-disks-0)`],
    ["an array of another level", raid("raid10", 4), { holds: [1, 2, 3, 4].map(() => member({ disks: 4 })) }, "Cannot make one raid10 of /dev/nvme1n1, /dev/nvme2n1, /dev/nvme3n1, /dev/nvme4n1: they are parts of /dev/md127 (raid0 of 4 disks)"],
    ["an array that misses a disk", raid("raid0", 1), { holds: [member(PARTIAL)] }, "Cannot make one raid0 of /dev/nvme1n1: they are parts of /dev/md127 (raid0 of 2 disks)"],
    ["two arrays", raid("raid0", 2), { holds: [member(), member({ uuid: "u2", device: "/dev/md126" })] }, "Cannot make one raid0 of /dev/nvme1n1, /dev/nvme2n1: they are parts of /dev/md127 (raid0 of 2 disks) and /dev/md126 (raid0 of 2 disks)"],
    ["somebody else's mount of the directory", raid("raid0", 2), { holds: [NOTHING, NOTHING], mounts: [{ ...BOUND, device: "259:9" }] }, 'Cannot move "/var/lib/kubelet" to the local disks: something else is mounted there'],
    ["volumes of pods", raid("raid0", 2), { holds: [NOTHING, NOTHING], mounts: [{ mountPoint: "/var/lib/kubelet/pods/1/x", root: "/", device: "0:70" }] }, 'Cannot move "/var/lib/kubelet" to the local disks: 1 file system is mounted in it, such as /var/lib/kubelet/pods/1/x'],
    ["somebody else's mount where the array's is to be", raid("raid0", 2), { holds: [member(), member()], mounts: [{ ...MOUNTED, device: "259:9" }] }, 'Cannot mount local disks at "/mnt/k8s-disks/0": something else is mounted there'],
  ])("%s", (_, disks, state, message) => {
    expect(() => comparison(disks, state)).toThrow(expect.objectContaining({ code: "disks-in-use", message }) as Error);
  });
});

describe("disks that are mounted each by itself", () => {
  const volumes = [1, 2, 3].map((number) => ({ label: `k8s-disks-${number}`, mountPoint: `/mnt/k8s-disks/${number}`, unit: `${number}.mount` }));
  const single: PlannedDisks = { layout: "mount", devices: devices(3), volumes, directories: [], unitFiles: [] };
  const units = volumes.map(({ unit: name }) => running(name));
  const own = (number: number): DiskContents => ({ kind: "file-system", type: "xfs", label: `k8s-disks-${number}` });
  const at = (number: number, disk: number): Mount => ({ mountPoint: `/mnt/k8s-disks/${number}`, root: "/", device: `259:${disk}` });

  it.each<[string, Found, readonly string[]]>([
    ["blank ones are formatted, in order", { holds: [NOTHING, NOTHING, NOTHING], units }, [1, 2, 3].map((number) => `format /dev/nvme${number}n1 as k8s-disks-${number}`).concat([1, 2, 3].map((number) => `mount /mnt/k8s-disks/${number}`))],
    ["one keeps its number though its name has changed, and a blank one gets what is free", { holds: [own(3), NOTHING, own(1)], units, mounts: [at(1, 3)] }, ["format /dev/nvme2n1 as k8s-disks-2", "mount /mnt/k8s-disks/2", "mount /mnt/k8s-disks/3"]],
    ["one with another file system is left alone, and its number too", { holds: [EXT4, NOTHING, NOTHING], units: [], mountPoint: "/data" }, ["enable 1.mount", "enable 2.mount", "format /dev/nvme2n1 as k8s-disks-1", "format /dev/nvme3n1 as k8s-disks-2", "mount /mnt/k8s-disks/1", "mount /mnt/k8s-disks/2"]],
    ["mounted ones need nothing", { holds: [own(1), own(2), own(3)], units, mounts: [at(1, 1), at(2, 2), at(3, 3)] }, []],
  ])("%s", (_, state, steps) => {
    const rest = ["write /var/lib/kubelet/kubeconfig", ...REST.slice(1)];
    expect(stepsOf(comparison(single, state))).toEqual([...steps, ...rest]);
  });

  it("leave a note on what is left alone", () => {
    expect(comparison(single, { holds: [EXT4, own(1), own(1)], units, mountPoint: "/data" }).notes).toEqual([
      { code: "disk-left-alone", message: "/dev/nvme1n1 holds a file system (ext4, data), mounted at /data, which eks-node-agent has not made: the disk is left as it is. If nobody needs that, clear it (`wipefs --all /dev/nvme1n1`) and run eks-node-agent again." },
      { code: "disk-left-alone", message: "/dev/nvme3n1 holds a file system (xfs, k8s-disks-1), which eks-node-agent has not made: the disk is left as it is. If nobody needs that, clear it (`wipefs --all /dev/nvme3n1`) and run eks-node-agent again." },
    ]);
  });
});
