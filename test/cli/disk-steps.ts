import type { Change } from "../../src/plan/plan.ts";

/** One of each step about local disks. */
export const DISK_STEPS: readonly Change[] = [
  { kind: "create-array", level: "raid0", devices: ["/dev/nvme1n1", "/dev/nvme2n1"], leftovers: ["/dev/nvme2n1"], stop: undefined },
  { kind: "assemble-array", devices: ["/dev/nvme1n1", "/dev/nvme2n1"], stop: undefined },
  { kind: "make-file-system", device: "/dev/md/kubernetes", label: "k8s-disks-0" },
  { kind: "mount", unit: "mnt-k8s\\x2ddisks-0.mount", mountPoint: "/mnt/k8s-disks/0" },
  { kind: "stop-unit", unit: "kubelet.service", reason: "uses /var/lib/kubelet" },
  { kind: "copy-directory", from: "/var/lib/kubelet", to: "/mnt/k8s-disks/0/kubelet" },
];
