import { existsSync, linkSync, lstatSync, mkdirSync, readdirSync, readFileSync, symlinkSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { takeDiskStep } from "../../src/apply/local-disks.ts";
import { type DiskPrograms, makeDiskPrograms } from "./disk-programs.ts";

let programs: DiskPrograms;
beforeEach(() => { programs = makeDiskPrograms(); });
afterEach(() => programs.remove());

const SIZE = 18 * 1024 * 1024;

describe("an array", () => {
  let disks: readonly string[];
  const create = () => ({ kind: "create-array", level: "raid0", devices: disks, leftovers: [], stop: undefined }) as const;
  const calls = (): readonly string[] => programs.calls().map((call) => call.replaceAll(`${programs.folder}/`, ""));
  beforeEach(() => {
    disks = ["disk1", "disk2"].map((name) => join(programs.folder, name));
    for (const disk of disks) writeFileSync(disk, Buffer.alloc(SIZE, "x"));
  });

  it("is made of disks that are blank", async () => {
    programs.install({ mdadm: "", udevadm: "", blkid: "exit 2" });
    await takeDiskStep(create(), undefined);
    expect(calls()).toEqual([
      "blkid --probe disk1",
      "blkid --probe disk2",
      "udevadm settle --timeout=30",
      "mdadm --create /dev/md/kubernetes --force --level=0 --name=kubernetes --homehost=any --data-offset=16M --raid-devices=2 disk1 disk2",
      "udevadm settle --timeout=30",
    ]);
  });

  it("begins with nothing, so that no file system of an earlier one shows", async () => {
    programs.install({ mdadm: "", udevadm: "", blkid: "exit 2" });
    await takeDiskStep(create(), undefined);
    const expected = Buffer.alloc(SIZE, "x").fill(0, SIZE - 2 * 1024 * 1024, SIZE - 1024 * 1024);
    expect(disks.map((disk) => readFileSync(disk).equals(expected))).toEqual([true, true]);
  });

  it("is not made of a disk that cannot be written to", async () => {
    programs.install({ blkid: "exit 2" });
    const gone = join(programs.folder, "gone");
    await expect(takeDiskStep({ ...create(), devices: [gone] }, undefined)).rejects.toMatchObject({ code: "disks-failed", message: `Cannot write to "${gone}", which is to be a part of an array: ENOENT` });
  });

  it("of RAID 10 has no bitmap, after which newer versions would ask", async () => {
    programs.install({ mdadm: "", udevadm: "", blkid: "exit 2" });
    await takeDiskStep({ ...create(), level: "raid10" }, undefined);
    expect(calls()).toContain("mdadm --create /dev/md/kubernetes --force --level=10 --name=kubernetes --homehost=any --data-offset=16M --bitmap=none --raid-devices=2 disk1 disk2");
  });

  it("takes the place of a lost one, of which nothing is cleared before the other disks have proved blank", async () => {
    programs.install({ mdadm: "", udevadm: "", blkid: "exit 2" });
    await takeDiskStep({ ...create(), leftovers: [join(programs.folder, "disk1")], stop: "/dev/md127" }, undefined);
    expect(calls().slice(0, 6)).toEqual([
      "blkid --probe disk2",
      "mdadm --stop /dev/md127",
      "udevadm settle --timeout=30",
      "mdadm --zero-superblock disk1",
      "blkid --probe disk1",
      "udevadm settle --timeout=30",
    ]);
  });

  it("is not made of a disk that has something on it after all, and that stays", async () => {
    programs.install({ mdadm: "", blkid: 'echo "$2: TYPE=\\"ext4\\""' });
    const [disk = ""] = disks;
    await expect(takeDiskStep(create(), undefined)).rejects.toMatchObject({ code: "disks-in-use", message: `Cannot make an array with ${disk}, which is not blank any more: ${disk}: TYPE="ext4"` });
    expect(calls()).toEqual(["blkid --probe disk1"]);
    expect(readFileSync(disk).equals(Buffer.alloc(SIZE, "x"))).toBe(true);
  });

  it("that cannot be made is told in mdadm's words", async () => {
    programs.install({ mdadm: "echo 'mdadm: cannot open /dev/nvme1n1: Device or resource busy' >&2; exit 1", udevadm: "", blkid: "exit 2" });
    await expect(takeDiskStep(create(), undefined)).rejects.toMatchObject({ code: "disks-failed", lines: ["mdadm: cannot open /dev/nvme1n1: Device or resource busy"] });
  });

  it("is assembled after what udev has begun is stopped", async () => {
    programs.install({ mdadm: "", udevadm: "" });
    await takeDiskStep({ kind: "assemble-array", devices: ["/dev/nvme1n1", "/dev/nvme2n1"], stop: "/dev/md127" }, undefined);
    expect(calls()).toEqual(["mdadm --stop /dev/md127", "udevadm settle --timeout=30", "mdadm --assemble --run /dev/md/kubernetes /dev/nvme1n1 /dev/nvme2n1", "udevadm settle --timeout=30"]);
  });
});

describe("a file system", () => {
  const step = { kind: "make-file-system", label: "k8s-disks-1", device: "/dev/nvme1n1" } as const;

  it("overwrites nothing that mkfs knows", async () => {
    programs.install({ udevadm: "", "mkfs.xfs": "" });
    await takeDiskStep(step, undefined);
    expect(programs.calls()).toEqual(["mkfs.xfs -q -K -l su=8b -L k8s-disks-1 /dev/nvme1n1", "udevadm settle --timeout=30"]);
  });

  it("cannot be made without the program", async () => {
    process.env["PATH"] = `${programs.folder}/bin`;
    await expect(takeDiskStep(step, undefined)).rejects.toMatchObject({
      code: "program-missing",
      message: 'Cannot set up the local disks: there is no program "mkfs.xfs" on PATH',
      remedy: "Install the package xfsprogs in the image.",
    });
  });
});

describe("a mount", () => {
  const step = { kind: "mount", unit: "mnt.mount", mountPoint: "/mnt" } as const;

  it("is asked for once more when the first answer is that it took too long", async () => {
    programs.install({ systemctl: `test -e ${programs.folder}/asked || { touch ${programs.folder}/asked; echo "Job for mnt.mount timed out." >&2; exit 1; }` });
    await takeDiskStep(step, undefined);
    expect(programs.calls()).toEqual(["systemctl start -- mnt.mount", "systemctl start -- mnt.mount"]);
  });

  it("that cannot be had is told in systemd's words", async () => {
    programs.install({ systemctl: 'echo "Job for mnt.mount failed." >&2; exit 1' });
    await expect(takeDiskStep(step, undefined)).rejects.toMatchObject({ code: "unit-not-up", message: '"systemctl start -- mnt.mount" failed with status 1: Job for mnt.mount failed' });
  });
});

describe("a directory", () => {
  const paths = (): { readonly from: string; readonly to: string } => ({ from: join(programs.folder, "kubelet"), to: join(programs.folder, "array/kubelet") });
  const copy = (): Promise<void> => takeDiskStep({ kind: "copy-directory", ...paths() }, undefined);
  beforeEach(() => mkdirSync(join(programs.folder, "array")));

  it("is copied with modes, times and links, and stays where it is", async () => {
    const { from, to } = paths();
    mkdirSync(join(from, "pki"), { recursive: true, mode: 0o700 });
    writeFileSync(join(from, "pki/key"), "secret", { mode: 0o600 });
    linkSync(join(from, "pki/key"), join(from, "pki/same"));
    symlinkSync("key", join(from, "pki/link"));
    await copy();
    const [before, after] = [lstatSync(join(from, "pki/key")), lstatSync(join(to, "pki/key"))];
    expect([after.mode, after.mtimeMs, after.uid]).toEqual([before.mode, before.mtimeMs, before.uid]);
    expect(lstatSync(join(to, "pki/same")).ino).toBe(after.ino);
    expect(lstatSync(join(to, "pki/link")).isSymbolicLink()).toBe(true);
    expect(lstatSync(to).mode & 0o777).toBe(0o700);
    expect([readFileSync(join(from, "pki/key"), "utf8"), readdirSync(join(programs.folder, "array"))]).toEqual(["secret", ["kubelet"]]);
  });

  it("that does not exist is made empty", async () => {
    await copy();
    expect(readdirSync(paths().to)).toEqual([]);
  });

  it("is copied anew when a killed run has left a part of it", async () => {
    const { from, to } = paths();
    mkdirSync(from);
    writeFileSync(join(from, "a"), "whole");
    mkdirSync(`${to}.unfinished`);
    writeFileSync(join(programs.folder, "array/kubelet.unfinished/a"), "wh");
    writeFileSync(join(programs.folder, "array/kubelet.unfinished/old"), "");
    await copy();
    expect([readdirSync(to), readFileSync(join(to, "a"), "utf8"), existsSync(`${to}.unfinished`)]).toEqual([["a"], "whole", false]);
  });

  it("that is on the array already is newer than the one on the root volume", async () => {
    const { from, to } = paths();
    for (const [path, text] of [[from, "old"], [to, "new"]] as const) {
      mkdirSync(path);
      writeFileSync(join(path, "a"), text);
    }
    await copy();
    expect(readFileSync(join(to, "a"), "utf8")).toBe("new");
  });

  it("of which a file cannot be copied is no directory of the array", async () => {
    programs.install({ cp: "echo 'cp: error writing: No space left on device' >&2; exit 1" });
    mkdirSync(paths().from);
    await expect(copy()).rejects.toMatchObject({ code: "disks-failed", lines: ["cp: error writing: No space left on device"] });
    expect(existsSync(paths().to)).toBe(false);
  });
});
