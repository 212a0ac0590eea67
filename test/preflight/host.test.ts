import { expect, test } from "vitest";
import type { JsonObject } from "../../src/lib/json.ts";
import { effectiveConfig } from "../../src/preflight/effective-config.ts";
import type { Finding } from "../../src/preflight/finding.ts";
import { checkHost } from "../../src/preflight/host.ts";
import type { HostInputs } from "../../src/preflight/host.ts";
import { KERNEL_DEFAULTS } from "../../src/resolve/facts.ts";

const PROVIDER = "/etc/eks/image-credential-provider/ecr-credential-provider";

const HOST: HostInputs = {
  cgroupVersion: 2,
  swapOn: false,
  sysctls: KERNEL_DEFAULTS,
  enabledUnits: [],
  programs: { "ecr-credential-provider": PROVIDER },
  credentialProvider: PROVIDER,
};

test("kubelet has nothing against a host made for it", () => {
  expect(check(36, { protectKernelDefaults: true }, {})).toEqual([]);
});

test("swap is refused", () => {
  expect(check(33, {}, { swapOn: true })).toEqual([
    {
      severity: "error",
      code: "swap-on",
      message: "Cannot start kubelet with swap on, since failSwapOn is true",
      source: "kubelet's default",
      remedy: "Switch swap off, with `swapoff --all` and without its line in /etc/fstab, or set failSwapOn to false.",
    },
  ]);
});

test("swap is accepted with failSwapOn false", () => {
  expect(check(33, { failSwapOn: false }, { swapOn: true })).toEqual([]);
});

test.each([
  [30, {}, undefined],
  [31, {}, undefined],
  [31, { failCgroupV1: true }, "Cannot start kubelet 1.31 on a host with cgroup v1, since failCgroupV1 is true"],
  [34, {}, undefined],
  [35, {}, "Cannot start kubelet 1.35 on a host with cgroup v1, since failCgroupV1 is true"],
  [36, { failCgroupV1: false }, undefined],
  [32, { singleProcessOOMKill: false }, "Cannot use singleProcessOOMKill false on a host with cgroup v1: only cgroup v2 can kill a container as a whole"],
  [32, { singleProcessOOMKill: true }, undefined],
  [31, { singleProcessOOMKill: false }, undefined],
])("kubelet 1.%i with %j on cgroup v1: %s", (minor, config, message) => {
  expect(check(minor, config, { cgroupVersion: 1 }).map((finding) => finding.message)).toEqual(message === undefined ? [] : [message]);
});

test("the remedy for cgroup v1 is another image", () => {
  expect(check(35, {}, { cgroupVersion: 1 }).map(({ remedy }) => remedy)).toEqual(["Use an image with cgroup v2, or set failCgroupV1 to false for as long as kubelet allows it."]);
});

test("cgroup v2 is no matter", () => {
  expect(check(36, { singleProcessOOMKill: false, failCgroupV1: true }, {})).toEqual([]);
});

test("kernel settings that differ are refused with protectKernelDefaults", () => {
  expect(check(33, { protectKernelDefaults: true }, { sysctls: { ...KERNEL_DEFAULTS, "vm.overcommit_memory": 0, "kernel.panic": 0 } })).toEqual([
    {
      severity: "error",
      code: "kernel-defaults",
      message: "Cannot start kubelet with protectKernelDefaults true: vm.overcommit_memory is 0 and not 1, kernel.panic is 0 and not 10",
      source: "user-data",
      remedy: "Set vm.overcommit_memory = 1, kernel.panic = 10 in /etc/sysctl.d, or protectKernelDefaults to false.",
    },
  ]);
});

test.each([
  ["without protectKernelDefaults", {}, { "vm.overcommit_memory": 0 }],
  ["with protectKernelDefaults false", { protectKernelDefaults: false }, { "vm.overcommit_memory": 0 }],
  ["that the kernel lacks", { protectKernelDefaults: true }, {}],
])("kernel settings are no matter %s", (_, config, sysctls) => {
  expect(check(33, config, { sysctls })).toEqual([]);
});

test("a credential provider that kubelet is told of must be there", () => {
  expect(check(29, {}, { programs: {} })).toEqual([
    {
      severity: "error",
      code: "credential-provider-missing",
      message: `Cannot start kubelet with the image credential provider "${PROVIDER}": it is not there or not executable`,
      source: "this host",
      remedy: "Install ecr-credential-provider there when the image is built, or name the place where it is.",
    },
  ]);
});

test("a missing credential provider is no matter if kubelet is not told of one", () => {
  expect(check(28, {}, { programs: {}, credentialProvider: undefined })).toEqual([]);
});

test("every other bootstrapper that is enabled is named", () => {
  expect(check(33, {}, { enabledUnits: ["nodeadm-config.service", "nodeadm-run.service"] })).toEqual(
    ["nodeadm-config.service", "nodeadm-run.service"].map((unit) => ({
      severity: "error",
      code: "other-bootstrapper",
      message: `Cannot share this node with ${unit}, which is enabled and would configure kubelet, too`,
      source: "this host",
      remedy: `Run \`systemctl disable ${unit}\`, best when the image is built.`,
    })),
  );
});

function check(minor: number, config: JsonObject, host: Partial<HostInputs>): readonly Finding[] {
  return checkHost(effectiveConfig({ minor, config, flags: [], sourceOf: () => "user-data" }), { ...HOST, ...host });
}
