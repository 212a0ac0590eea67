import { afterEach, beforeEach, expect, it } from "vitest";
import { observeDisks } from "../../src/apply/observe-disks.ts";
import { type DiskPrograms, makeDiskPrograms } from "./disk-programs.ts";

let programs: DiskPrograms;
beforeEach(() => { programs = makeDiskPrograms(); });
afterEach(() => programs.remove());

type Device = Readonly<Record<string, unknown>>;

const DISK: Device = { name: "/dev/nvme1n1", "maj:min": "259:1  ", type: "disk", size: 1000, fstype: null, label: null, uuid: null, pttype: null, mountpoint: null };
const MEMBER: Device = { ...DISK, fstype: "linux_raid_member", label: "any:kubernetes", uuid: "u1" };
const OBSERVED = { device: "/dev/nvme1n1", number: "259:1", mountPoint: undefined };
const ARRAY = { uuid: "u1", name: "kubernetes", level: "raid0", disks: 2 };

async function observed(device: Device, mdadm = "exit 1"): Promise<unknown> {
  programs.install({ udevadm: "", mdadm, lsblk: `cat <<'END'\n${JSON.stringify({ blockdevices: [device] })}\nEND` });
  return (await observeDisks(["/dev/nvme1n1"], undefined)).disks;
}

it.each<[string, Device, unknown]>([
  ["nothing", DISK, { ...OBSERVED, holds: { kind: "nothing" } }],
  ["nothing, in the words of older versions", { ...DISK, fstype: "", label: "", mountpoint: "" }, { ...OBSERVED, holds: { kind: "nothing" } }],
  ["a file system that is mounted", { ...DISK, fstype: "ext4", label: "data", uuid: "e", mountpoint: "/data" }, { ...OBSERVED, mountPoint: "/data", holds: { kind: "file-system", type: "ext4", label: "data" } }],
  ["partitions", { ...DISK, pttype: "gpt", children: [{ name: "/dev/nvme1n1p1", type: "part" }] }, { ...OBSERVED, holds: { kind: "other", what: "a partition table (gpt)" } }],
  ["what another device is made of", { ...DISK, children: [{ name: "/dev/mapper/x", type: "crypt" }] }, { ...OBSERVED, holds: { kind: "other", what: "/dev/mapper/x (crypt)" } }],
  ["what lsblk does not tell of", { ...DISK, name: "/dev/other" }, { ...OBSERVED, number: "", holds: { kind: "other", what: "what lsblk does not tell of" } }],
])("a disk with %s", async (_, device, disk) => {
  expect(await observed(device)).toEqual([disk]);
});

it.each<[string, Device, string, unknown]>([
  ["that is at rest", MEMBER, "echo MD_LEVEL=raid0; echo MD_DEVICES=2", { ...ARRAY, device: undefined, number: undefined, isRunning: false, holds: { kind: "nothing" } }],
  ["that cannot run", { ...MEMBER, children: [{ name: "/dev/md127", "maj:min": "9:127", type: "md", size: 0 }] }, "echo MD_LEVEL=raid0; echo MD_DEVICES=2", { ...ARRAY, device: "/dev/md127", number: "9:127", isRunning: false, holds: { kind: "nothing" } }],
  ["of which mdadm can tell nothing", MEMBER, "exit 1", { ...ARRAY, level: "unknown level", disks: 0, device: undefined, number: undefined, isRunning: false, holds: { kind: "nothing" } }],
])("a disk of an array %s", async (_, device, mdadm, array) => {
  expect(await observed(device, mdadm)).toEqual([{ ...OBSERVED, holds: { kind: "array-member", array } }]);
  expect(programs.calls()).toContain("mdadm --examine --export /dev/nvme1n1");
});

it("tells what is mounted", async () => {
  programs.install({ udevadm: "", lsblk: 'echo \'{"blockdevices": []}\'' });
  expect((await observeDisks([], undefined)).mounts.map(({ mountPoint }) => mountPoint)).toContain("/proc");
});

it("says which package is missing", async () => {
  programs.install({ udevadm: "" });
  process.env["PATH"] = `${programs.folder}/bin`;
  await expect(observeDisks([], undefined)).rejects.toMatchObject({ code: "program-missing", message: 'Cannot set up the local disks: there is no program "lsblk" on PATH', remedy: "Install the package util-linux in the image." });
});
