import { expect } from "vitest";
import { makeBed } from "./bed/bed.ts";
import { describeBeds } from "./bed/describe.ts";
import { type DiskMachine, makeDiskMachine } from "./bed/disk-machine.ts";
import { until } from "./bed/until.ts";
import { BOOTSTRAP_ARGS } from "./node.ts";

/** Debian has user-mode-linux for this architecture only. */
const isHere = process.arch === "x64";

/** Boots and runs take five times as long as elsewhere. */
const timeout = 400_000;

const NO_CHANGES = { status: 0, stdout: expect.stringContaining("\nNo changes.\n") as string };

const RAID0 = [...BOOTSTRAP_ARGS, "--local-disks", "raid0"];

describeBeds("local disks", (test) => {
  test.skipIf(!isHere)("become a RAID 0 that outlasts kills and reboots, and that is made anew when the disks come back blank", { timeout }, async () => {
    await using bed = await makeBed();
    await using machine = await makeDiskMachine(bed);
    await machine.giveBlankDisks(2);
    await machine.boot();
    await fillDirectories(machine);
    const filled = await contentsOf(machine);
    await machine.must("systemctl", "start", "containerd.service");

    await killIn(machine, "mkfs.xfs", "kill -9 $PPID");
    expect((await machine.agent(...RAID0)).status).toBe(137);
    await killIn(machine, "cp", 'test -e /mnt/k8s-disks/0/kubelet && /bin/cp "$@" && rm -r /mnt/k8s-disks/0/*.unfinished/x* && kill -9 $PPID; exec /bin/cp "$@"');
    expect((await machine.agent(...RAID0)).status).toBe(137);
    await machine.must("rm", "/usr/local/sbin/mkfs.xfs", "/usr/local/sbin/cp");

    const first = await machine.agent(...RAID0);
    expect(first).toMatchObject({ status: 0 });
    expect(await state(machine)).toEqual({ array: "raid0 xfs k8s-disks-0", mounts: MOUNTS, kubelet: "active", containerd: "active" });
    expect(await contentsOf(machine)).toBe(filled);
    expect(await machine.agent(...RAID0, "--wait", "none")).toMatchObject(NO_CHANGES);

    await machine.must("sh", "-c", "echo written by kubelet > /var/lib/kubelet/later");
    const written = await contentsOf(machine);
    const uuid = await machine.must("lsblk", "--noheadings", "--output", "UUID", "/dev/md127");
    await machine.powerOff();
    await machine.boot();
    await kubeletIs(machine, "active");
    expect(await state(machine)).toEqual({ array: "raid0 xfs k8s-disks-0", mounts: MOUNTS, kubelet: "active", containerd: "active" });
    expect([await machine.must("lsblk", "--noheadings", "--output", "UUID", "/dev/md127"), await contentsOf(machine)]).toEqual([uuid, written]);

    await machine.cutPower();
    await machine.giveBlankDisks(2);
    await machine.boot();
    expect(await kubeletState(machine)).toBe("inactive");
    expect((await machine.agent(...RAID0)).status).toBe(0);
    expect(await state(machine)).toEqual({ array: "raid0 xfs k8s-disks-0", mounts: MOUNTS, kubelet: "active", containerd: "active" });
    expect(await contentsOf(machine)).toBe(filled);

    await machine.cutPower();
    await machine.giveBlankDisk("c");
    await machine.boot();
    const rebuilt = await machine.agent(...RAID0, "--wait", "none");
    expect([rebuilt.status, rebuilt.stderr, rebuilt.stdout]).toEqual([0, expect.anything(), expect.stringContaining("array-lost: The array kubernetes is lost, since /dev/ubdc came back blank")]);
    expect(await contentsOf(machine)).toBe(filled);
  });

  test.skipIf(!isHere)("are mounted each by itself, but for one with a file system of somebody else's, and become a RAID 10", { timeout }, async () => {
    await using bed = await makeBed();
    await using machine = await makeDiskMachine(bed);
    await machine.giveBlankDisks(5);
    await machine.boot();
    await machine.must("sh", "-c", "mkfs.ext4 -q -L data /dev/ubdd && mount /dev/ubdd /mnt && echo precious > /mnt/file && umount /mnt && udevadm settle");

    const refused = await machine.agent(...BOOTSTRAP_ARGS, "--local-disks", "raid10");
    expect([refused.status, refused.stderr]).toEqual([78, expect.stringContaining("Cannot make an array of the local disks: /dev/ubdd holds a file system (ext4, data)\n")]);
    expect(await machine.must("lsblk", "--noheadings", "--output", "NAME,FSTYPE", "--raw")).toBe("ubdb \nubdc \nubdd ext4\nubde \nubdf ");

    const mounted = await machine.agent(...BOOTSTRAP_ARGS, "--local-disks", "mount", "--wait", "none");
    expect([mounted.status, mounted.stdout.replaceAll(/\s+/g, " ")]).toEqual([0, expect.stringContaining("disk-left-alone: /dev/ubdd holds a file system (ext4, data)")]);
    expect(await machine.must("lsblk", "--noheadings", "--output", "NAME,LABEL,MOUNTPOINT", "--raw")).toBe(
      "ubdb k8s-disks-1 /mnt/k8s-disks/1\nubdc k8s-disks-2 /mnt/k8s-disks/2\nubdd data \nubde k8s-disks-3 /mnt/k8s-disks/3\nubdf k8s-disks-4 /mnt/k8s-disks/4",
    );
    expect(await machine.must("sh", "-c", "mount /dev/ubdd /mnt && cat /mnt/file && umount /mnt")).toBe("precious");

    await machine.cutPower();
    await machine.giveBlankDisks(4);
    bed.write("/etc/eks/node-agent.d/disks.yaml", ODD_PLACE);
    await machine.boot();
    expect((await machine.agent(...BOOTSTRAP_ARGS)).status).toBe(0);
    expect(await state(machine)).toEqual({ array: "raid10 xfs k8s-disks-0", mounts: ["/mnt/100% local/0 /", "/var/lib/kubelet /kubelet"], kubelet: "active", containerd: "active" });
    expect(bed.exists("/etc/systemd/system/mnt-k8s\\x2ddisks-1.mount")).toBe(false);
    expect(await machine.agent(...BOOTSTRAP_ARGS, "--wait", "none")).toMatchObject(NO_CHANGES);
  });
});

const MOUNTS = ["/mnt/k8s-disks/0 /", "/var/lib/containerd /containerd", "/var/lib/kubelet /kubelet", "/var/log/pods /pods"];

const ODD_PLACE = `apiVersion: node.eks.aws/v1alpha1
kind: NodeConfig
spec:
  instance:
    localStorage:
      strategy: RAID10
      mountPath: /mnt/100% local/
      disabledMounts: [Containerd, PodLogs]
`;

async function fillDirectories(machine: DiskMachine): Promise<void> {
  const commands = [
    "mkdir -p /var/lib/kubelet/pki /var/lib/containerd /var/log/pods/a",
    "cd /var/lib/kubelet && head -c 3000000 /dev/urandom > pki/key && chmod 600 pki/key && chown 7:8 pki/key && ln pki/key pki/same && ln -s key pki/link && touch -d @1 pki/key",
    "echo 1 > /var/lib/containerd/x && echo 2 > /var/log/pods/a/0.log && echo 3 > /var/log/pods/x",
  ];
  await machine.must("sh", "-c", commands.join(" && "));
}

/** Of what kubelet and containerd had before the first run: names, access, times, links and checksums. */
async function contentsOf(machine: DiskMachine): Promise<string> {
  const places = "/var/lib/kubelet /var/lib/containerd/x /var/log/pods";
  return machine.must("sh", "-c", `find ${places} -name kubeconfig -o -type f -printf '%p %m %U:%G %Ts %n %l\\n' -o -printf '%p %m %U:%G %l\\n' | sort; find ${places} -type f ! -name kubeconfig -exec sha256sum {} + | sort`);
}

async function killIn(machine: DiskMachine, program: string, script: string): Promise<void> {
  await machine.must("sh", "-c", `printf '%s\\n' "$1" > "$2" && chmod 755 "$2"`, "sh", `#!/bin/sh\n${script}`, `/usr/local/sbin/${program}`);
}

async function state(machine: DiskMachine): Promise<object> {
  const array = await machine.must("lsblk", "--noheadings", "--raw", "--output", "TYPE,FSTYPE,LABEL", "--nodeps", "/dev/md127");
  const mounts = await machine.must("findmnt", "--noheadings", "--raw", "--output", "TARGET,FSROOT", "--types", "xfs");
  const lines = mounts.split("\n").map((line) => line.replaceAll("\\x20", " ").replaceAll("\\x25", "%")).sort();
  const [kubelet, containerd] = (await machine.run(["systemctl", "is-active", "kubelet.service", "containerd.service"])).stdout.split("\n");
  return { array, mounts: lines, kubelet, containerd };
}

async function kubeletState(machine: DiskMachine): Promise<string> {
  return (await machine.run(["systemctl", "is-active", "kubelet.service"])).stdout.trim();
}

async function kubeletIs(machine: DiskMachine, wanted: string): Promise<void> {
  await until(`kubelet is ${wanted}`, async () => (await kubeletState(machine)) === wanted);
}
