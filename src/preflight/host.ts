import { KERNEL_DEFAULTS } from "../resolve/facts.ts";
import type { HostFacts } from "../resolve/facts.ts";
import { findingOn } from "./config-rules.ts";
import type { EffectiveConfig } from "./effective-config.ts";
import type { Finding } from "./finding.ts";
import { quote } from "./finding.ts";

export type HostInputs = Pick<HostFacts, "cgroupVersion" | "swapOn" | "sysctls" | "enabledUnits" | "programs"> & {
  /** Path of the program that gets credentials for ECR; undefined if kubelet is not told of one. */
  readonly credentialProvider: string | undefined;
};

/** What kubelet refuses of the machine that it is to run on, as it is configured. */
export function checkHost(config: EffectiveConfig, host: HostInputs): readonly Finding[] {
  return [
    ...checkSwap(config, host),
    ...checkCgroups(config, host),
    ...checkKernelDefaults(config, host),
    ...checkCredentialProvider(host),
    ...host.enabledUnits.map(otherBootstrapper),
  ];
}

function checkSwap(config: EffectiveConfig, { swapOn }: HostInputs): readonly Finding[] {
  if (!swapOn || config.value("failSwapOn") !== true) return [];
  const message = "Cannot start kubelet with swap on, since failSwapOn is true";
  const remedy = "Switch swap off, with `swapoff --all` and without its line in /etc/fstab, or set failSwapOn to false.";
  return [{ ...findingOn(config, "swap-on", ["failSwapOn"], message), remedy }];
}

/** Kubelet's field came with 1.31, and is true by default from 1.35 on. */
function checkCgroups(config: EffectiveConfig, { cgroupVersion }: HostInputs): readonly Finding[] {
  if (cgroupVersion !== 1) return [];
  const findings: Finding[] = [];
  if (config.minor >= 31 && config.value("failCgroupV1") === true) {
    const message = `Cannot start kubelet 1.${config.minor} on a host with cgroup v1, since failCgroupV1 is true`;
    const remedy = "Use an image with cgroup v2, or set failCgroupV1 to false for as long as kubelet allows it.";
    findings.push({ ...findingOn(config, "cgroup-v1", ["failCgroupV1"], message), remedy });
  }
  if (config.minor >= 32 && config.given("singleProcessOOMKill") === false) {
    findings.push(findingOn(config, "cgroup-v1", ["singleProcessOOMKill"], "Cannot use singleProcessOOMKill false on a host with cgroup v1: only cgroup v2 can kill a container as a whole"));
  }
  return findings;
}

function checkKernelDefaults(config: EffectiveConfig, { sysctls }: HostInputs): readonly Finding[] {
  if (config.value("protectKernelDefaults") !== true) return [];
  const wrong = Object.entries(KERNEL_DEFAULTS).filter(([name, wanted]) => sysctls[name] !== undefined && sysctls[name] !== wanted);
  if (wrong.length === 0) return [];
  const list = wrong.map(([name, wanted]) => `${name} is ${sysctls[name] ?? ""} and not ${wanted}`).join(", ");
  const remedy = `Set ${wrong.map(([name, wanted]) => `${name} = ${wanted}`).join(", ")} in /etc/sysctl.d, or protectKernelDefaults to false.`;
  return [{ ...findingOn(config, "kernel-defaults", ["protectKernelDefaults"], `Cannot start kubelet with protectKernelDefaults true: ${list}`), remedy }];
}

function checkCredentialProvider({ credentialProvider, programs }: HostInputs): readonly Finding[] {
  if (credentialProvider === undefined || programs["ecr-credential-provider"] !== undefined) return [];
  return [
    {
      severity: "error",
      code: "credential-provider-missing",
      message: `Cannot start kubelet with the image credential provider ${quote(credentialProvider)}: it is not there or not executable`,
      source: "this host",
      remedy: "Install ecr-credential-provider there when the image is built, or name the place where it is.",
    },
  ];
}

function otherBootstrapper(unit: string): Finding {
  return {
    severity: "error",
    code: "other-bootstrapper",
    message: `Cannot share this node with ${unit}, which is enabled and would configure kubelet, too`,
    source: "this host",
    remedy: `Run \`systemctl disable ${unit}\`, best when the image is built.`,
  };
}
