import { expect, it } from "vitest";
import type { InstanceConfig } from "../../src/config/node-config.ts";
import { sourced } from "../../src/lib/sourced.ts";
import { needsLocalDisks, resolveLocalDisks } from "../../src/resolve/local-disks.ts";
import { noted, nodeConfig, option } from "./fixture.ts";


const DISKS = ["/dev/nvme1n1", "/dev/nvme2n1", "/dev/nvme3n1", "/dev/nvme4n1"];
const CONTAINERD = { containerRuntime: "containerd", snapshotter: "overlayfs" } as const;
const instance = (of: Partial<InstanceConfig>) => nodeConfig({ instance: { environment: {}, ...of } });
const resolve = (of: Partial<InstanceConfig>, disks: readonly string[] = DISKS, programs: Parameters<typeof resolveLocalDisks>[2] = CONTAINERD) =>
  noted((add) => resolveLocalDisks(instance(of), { localDisks: disks }, programs, add));
const strategy = (value: "none" | "mount" | "raid0" | "raid10"): Partial<InstanceConfig> => ({ localDisks: option(value, "local-disks") });
const RAID0 = strategy("raid0");
const KUBELET = { path: "/var/lib/kubelet", users: ["kubelet.service"] };

it.each([
  ["nothing asked for", {}, false],
  ["none asked for", strategy("none"), false],
  ["an array asked for", RAID0, true],
] as const)("%s", (_, of, needs) => {
  expect(needsLocalDisks(instance(of))).toBe(needs);
  if (!needs) expect(resolve(of)).toEqual({ result: undefined, notes: [] });
});

it("an array has the data of kubelet and of what runs containers", () => {
  expect(resolve(RAID0)).toEqual({
    result: {
      layout: sourced("raid0", "option --local-disks"),
      devices: DISKS,
      mountPath: sourced("/mnt/k8s-disks", "default"),
      directories: [
        KUBELET,
        { path: "/var/lib/containerd", users: ["kubelet.service", "containerd.service"] },
        { path: "/var/log/pods", users: ["kubelet.service", "containerd.service"] },
      ],
    },
    notes: [],
  });
});

it.each([
  ["mount", strategy("mount"), CONTAINERD, []],
  ["disabled mounts", { ...RAID0, disabledMounts: option(["PodLogs", "Containerd"], "x") }, CONTAINERD, ["/var/lib/kubelet"]],
  ["the SOCI snapshotter", RAID0, { ...CONTAINERD, snapshotter: "soci" }, ["/var/lib/kubelet", "/var/lib/containerd", "/var/log/pods", "/var/lib/soci-snapshotter-grpc"]],
  ["the SOCI snapshotter, disabled", { ...RAID0, disabledMounts: option(["SOCI"], "x") }, { ...CONTAINERD, snapshotter: "soci" }, ["/var/lib/kubelet", "/var/lib/containerd", "/var/log/pods"]],
] as const)("directories on the array with %s", (_, of, programs, paths) => {
  expect(resolve(of, DISKS, programs).result?.directories.map(({ path }) => path)).toEqual(paths);
});

it("under dockerd Docker is stopped too, before the containerd that it runs on", () => {
  expect(resolve(RAID0, DISKS, { ...CONTAINERD, containerRuntime: "dockerd" }).result?.directories[1]?.users).toEqual(["kubelet.service", "docker.service", "containerd.service"]);
});

it.each([
  ["/mnt/fast/", "/mnt/fast"],
  ["/mnt/../srv//x", "/srv/x"],
  ["/mnt/a b", "/mnt/a b"],
])("the mount path %s", (given, mountPath) => {
  expect(resolve({ ...RAID0, localDisksMountPath: option(given, "x") }).result?.mountPath).toEqual(sourced(mountPath, "option --x"));
});

it.each(["/mnt\\", "/mnt/x "])("the mount path %j is refused", (given) => {
  expect(() => resolve({ ...RAID0, localDisksMountPath: option(given, "x") })).toThrow(`Cannot mount local disks below ${JSON.stringify(given)} (option --x): a mount unit cannot carry a backslash, or white space at the end`);
});

it("an instance without disks is a note", () => {
  expect(resolve(RAID0, [])).toEqual({
    result: undefined,
    notes: [{ code: "no-local-disks", message: "option --local-disks asks for local disks (raid0), and this instance has none: all data stay on its root volume." }],
  });
});

it("three disks are no RAID 10", () => {
  expect(() => resolve(strategy("raid10"), DISKS.slice(1))).toThrow(
    "Cannot make a RAID 10, which option --local-disks asks for: it takes 4 disks, and this instance has 3 (/dev/nvme2n1, /dev/nvme3n1, /dev/nvme4n1)",
  );
});
