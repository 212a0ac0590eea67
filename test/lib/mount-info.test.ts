import { expect, test } from "vitest";
import { parseMountInfo } from "../../src/lib/mount-info.ts";

test("a line is a mount: where, of which file system, and what of it", () => {
  const text = [
    "22 1 259:1 / / rw,relatime shared:1 - xfs /dev/nvme0n1p1 rw,attr2",
    "90 22 9:127 / /mnt/k8s-disks/0 rw,noatime shared:50 - xfs /dev/md127 rw",
    "91 22 9:127 /kubelet /var/lib/kubelet rw,noatime - xfs /dev/md127 rw",
    "92 22 0:50 / /mnt/100%\\040local\\134x rw - tmpfs none rw",
    "",
  ].join("\n");
  expect(parseMountInfo(text)).toEqual([
    { mountPoint: "/", root: "/", device: "259:1" },
    { mountPoint: "/mnt/k8s-disks/0", root: "/", device: "9:127" },
    { mountPoint: "/var/lib/kubelet", root: "/kubelet", device: "9:127" },
    { mountPoint: "/mnt/100% local\\x", root: "/", device: "0:50" },
  ]);
});
