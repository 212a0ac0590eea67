import { isFlagDeprecatedIn, isFlagIn, kubeletFlag, kubeletFlags } from "../data/kubelet-flag-lookup.ts";
import type { KubeletFlag } from "../data/kubelet-flag-lookup.ts";
import { didYouMean } from "../lib/nearest.ts";
import { NEWEST_MINOR, OLDEST_MINOR } from "../resolve/kubelet-version.ts";
import type { Finding, KubeletArgument } from "./finding.ts";
import { quote } from "./finding.ts";
import { mayStandAlone, parseFlagValue } from "./flag-values.ts";

/** What kubelet 1.`minor` refuses of its command line, and what it warns of, in the order of the flags. */
export function checkKubeletFlags(minor: number, flags: readonly KubeletArgument[]): readonly Finding[] {
  return [...flags.flatMap((flag) => checkFlag(minor, flag)), ...checkRepetition(flags)];
}

function checkFlag(minor: number, argument: KubeletArgument): readonly Finding[] {
  const flag = kubeletFlag(argument.name === "h" ? "help" : argument.name);
  if (flag === undefined) return [unknown(minor, argument)];
  if (!isFlagIn(flag, minor)) return [notInThisVersion(minor, flag, argument)];
  return [...checkValue(flag, argument), ...checkDeprecation(minor, flag, argument)];
}

function unknown(minor: number, { name, source }: KubeletArgument): Finding {
  const known = [...kubeletFlags().values()].filter((flag) => isFlagIn(flag, minor)).map((flag) => flag.name);
  const meant = didYouMean(name, known, "--");
  return {
    // Newer than the tables: the flag may be newer, too.
    severity: minor > NEWEST_MINOR ? "note" : "error",
    code: "flag-unknown",
    message: `kubelet 1.${minor} does not know --${name}, nor does any from 1.${OLDEST_MINOR - 1} to 1.${NEWEST_MINOR}${meant}`,
    source,
    remedy: `Remove --${name}, or correct its name.`,
  };
}

function notInThisVersion(minor: number, flag: KubeletFlag, { source }: KubeletArgument): Finding {
  if (flag.os === "windows") {
    return { severity: "error", code: "flag-unknown", message: `kubelet does not know --${flag.name} on Linux`, source, remedy: `Remove --${flag.name}.` };
  }
  if (minor < flag.added) {
    return {
      severity: "error",
      code: "flag-too-new",
      message: `kubelet 1.${minor} does not know --${flag.name}: it came with 1.${flag.added}`,
      source,
      remedy: `Remove --${flag.name}, or use an image with a newer kubelet.`,
    };
  }
  return {
    severity: "error",
    code: "flag-removed",
    message: `kubelet 1.${minor} does not know --${flag.name}: it was removed in 1.${flag.removedIn ?? minor}`,
    source,
    remedy: `Remove --${flag.name}${replacement(flag, minor)}.`,
  };
}

/** Why there is no need for a removed flag of which KubeletConfiguration has no field. */
const NEEDLESS: Readonly<Record<string, string>> = {
  "container-runtime": "containerd is the only runtime left",
  "pod-infra-container-image": "kubelet learns the sandbox image from containerd, whose configuration names it",
  "cloud-config": "the in-tree cloud providers that read it are gone",
  "register-schedulable": "--register-with-taints with node.kubernetes.io/unschedulable:NoSchedule does the same",
  "seccomp-profile-root": "profiles are read from seccomp/ in kubelet's root directory",
  "experimental-bootstrap-kubeconfig": "--bootstrap-kubeconfig does the same",
  "cni-bin-dir": "containerd's configuration names the directory of CNI plugins",
  "cni-conf-dir": "containerd's configuration names the directory of CNI networks",
  "network-plugin": "containerd always uses CNI",
};

function replacement(flag: KubeletFlag, minor: number): string {
  if (flag.configField !== undefined && minor >= (flag.configFieldSince ?? 0) && flag.configField !== "logging.sanitization") {
    return `: the field ${flag.configField} of KubeletConfiguration replaces it`;
  }
  const reason = NEEDLESS[flag.name];
  return reason === undefined ? "" : `: ${reason}`;
}

function checkValue(flag: KubeletFlag, { value, source }: KubeletArgument): readonly Finding[] {
  if (value === undefined) return mayStandAlone(flag.type) ? checkQuestion(flag, "true", source) : [valueMissing(flag, source)];
  const parsed = parseFlagValue(flag.name, flag.type, value);
  if ("value" in parsed) return checkQuestion(flag, value, source);
  return [
    {
      severity: "error",
      code: "flag-value",
      message: `Cannot use ${quote(value)} as --${flag.name}: kubelet expects ${parsed.expected}`,
      source,
      remedy: `Correct --${flag.name}.`,
    },
  ];
}

function valueMissing(flag: KubeletFlag, source: string): Finding {
  return { severity: "error", code: "flag-value", message: `--${flag.name} needs a value`, source, remedy: `Give --${flag.name}=VALUE, or remove it.` };
}

/** --help and --version make kubelet print and end, with success, for ever. */
function checkQuestion(flag: KubeletFlag, value: string, source: string): readonly Finding[] {
  if ((flag.name !== "help" && flag.name !== "version") || /^(0|f|F|FALSE|false|False)$/.test(value)) return [];
  return [{ severity: "error", code: "flag-ends-kubelet", message: `With --${flag.name} kubelet prints and ends, and never joins`, source, remedy: `Remove --${flag.name}.` }];
}

/** The agent's own flags are left alone: where it passes a deprecated one, there is no other way in that version. */
function checkDeprecation(minor: number, flag: KubeletFlag, { owner, source }: KubeletArgument): readonly Finding[] {
  if (owner === "agent" || !isFlagDeprecatedIn(flag, minor)) return [];
  return [
    {
      severity: "note",
      code: "flag-deprecated",
      message: `kubelet 1.${minor} warns that --${flag.name} is deprecated`,
      source,
      remedy: `It works for now${replacement(flag, minor)}.`,
    },
  ];
}

/** A flag that holds one value, given again with another one, loses the first. */
function checkRepetition(flags: readonly KubeletArgument[]): readonly Finding[] {
  const first = new Map<string, KubeletArgument>();
  return flags.flatMap((argument) => {
    const flag = kubeletFlag(argument.name);
    if (flag === undefined || flag.repeat !== "last-wins") return [];
    const earlier = first.get(flag.name);
    first.set(flag.name, argument);
    if (earlier === undefined || earlier.value === argument.value) return [];
    // That the operator's flag beats the agent's is what it is for.
    if (earlier.owner === "agent") return [];
    return [repeated(flag, earlier, argument)];
  });
}

function repeated(flag: KubeletFlag, earlier: KubeletArgument, later: KubeletArgument): Finding {
  return {
    severity: "note",
    code: "flag-repeated",
    message: `--${flag.name} is given with ${quote(earlier.value)} (${earlier.source}) and later with ${quote(later.value)}: kubelet takes the later one`,
    source: later.source,
    remedy: `Give --${flag.name} once.`,
  };
}
