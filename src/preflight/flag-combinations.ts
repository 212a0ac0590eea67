import type { Finding, KubeletArgument } from "./finding.ts";
import { quote } from "./finding.ts";

/** Flags whose values are well formed, and which kubelet refuses nevertheless: for their value, or for want of another. */
export function checkFlagCombinations(minor: number, flags: readonly KubeletArgument[]): readonly Finding[] {
  const last = new Map(flags.map((flag) => [flag.name.replaceAll("_", "-"), flag]));
  return CHECKS.flatMap((check) => check(minor, last));
}

type Check = (minor: number, flags: ReadonlyMap<string, KubeletArgument>) => readonly Finding[];

const CHECKS: readonly Check[] = [checkCloudProvider, checkContainerRuntime, checkCredentialProviderPair, checkNodeIp, checkConfigDir];

/** The in-tree providers, AWS's among them, went in 1.27. */
function checkCloudProvider(minor: number, flags: ReadonlyMap<string, KubeletArgument>): readonly Finding[] {
  const flag = flags.get("cloud-provider");
  if (flag?.value === undefined || minor < 27 || flag.value === "" || flag.value === "external") return [];
  return [refused(flag, `kubelet 1.${minor} accepts "external" only`, "Remove --cloud-provider: the agent gives the right one.")];
}

function checkContainerRuntime(minor: number, flags: ReadonlyMap<string, KubeletArgument>): readonly Finding[] {
  const flag = flags.get("container-runtime");
  if (flag?.value === undefined || minor < 24 || minor > 26 || flag.value === "remote") return [];
  return [refused(flag, `kubelet 1.${minor} accepts "remote" only`, "Remove --container-runtime: the agent gives the right one.")];
}

function checkCredentialProviderPair(_minor: number, flags: ReadonlyMap<string, KubeletArgument>): readonly Finding[] {
  const pair = ["image-credential-provider-config", "image-credential-provider-bin-dir"] as const;
  const [given] = pair.filter((name) => flags.has(name)).map((name) => flags.get(name));
  const missing = pair.find((name) => !flags.has(name));
  if (given === undefined || missing === undefined) return [];
  return [
    {
      severity: "error",
      code: "flag-combination",
      message: `Cannot use --${given.name} without --${missing}: kubelet demands both or neither`,
      source: given.source,
      remedy: `Give --${missing}, too, or remove --${given.name}.`,
    },
  ];
}

/** Two addresses: not with a cloud provider before 1.27, and with the external one only. */
function checkNodeIp(minor: number, flags: ReadonlyMap<string, KubeletArgument>): readonly Finding[] {
  const flag = flags.get("node-ip");
  if (flag?.value === undefined || !flag.value.includes(",") || minor > 26) return [];
  return [refused(flag, `kubelet 1.${minor} accepts one address`, "Give the address of the cluster's IP family.")];
}

/** While drop-ins were alpha, kubelet demanded a variable in its environment, which is not preflight's to see. */
function checkConfigDir(minor: number, flags: ReadonlyMap<string, KubeletArgument>): readonly Finding[] {
  const flag = flags.get("config-dir");
  if (flag === undefined || minor < 28 || minor > 29) return [];
  return [
    {
      severity: "note",
      code: "flag-combination",
      message: `kubelet 1.${minor} ends on --config-dir unless KUBELET_CONFIG_DROPIN_DIR_ALPHA is in its environment`,
      source: flag.source,
      remedy: "Set the variable for kubelet, under instance.environment.kubelet in the NodeConfig.",
    },
  ];
}

function refused({ name, value, source }: KubeletArgument, why: string, remedy: string): Finding {
  return { severity: "error", code: "flag-value", message: `Cannot use ${quote(value)} as --${name}: ${why}`, source, remedy };
}
