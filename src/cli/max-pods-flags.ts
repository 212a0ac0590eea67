import { parseInstanceType } from "../gather/instance.ts";
import { parseCniVersion, type CniSettings, type CniVersion } from "../resolve/pod-limits.ts";
import { refuseUsage } from "./flag-values.ts";
import { choiceOf, valueOf, type Given } from "./given.ts";
import type { LogLevel } from "./log.ts";

export type MaxPodsFlags = {
  /** Undefined for that of this instance. */
  readonly instanceType: string | undefined;
  readonly cni: CniSettings;
  /** Without the ceiling. */
  readonly showMaxAllowed: boolean;
  readonly profile: string | undefined;
  /** Words that mean nothing. The script took any. */
  readonly ignored: readonly string[];
  readonly logLevel: LogLevel;
};

/** @throws AgentError "usage" when something is missing that there is no answer without, or is none */
export function maxPodsFlags(positionals: readonly string[], given: Given): MaxPodsFlags {
  return {
    instanceType: given.has("instance-type-from-imds") ? undefined : instanceTypeOf(given),
    cni: {
      version: cniVersionOf(given),
      customNetworking: given.has("cni-custom-networking-enabled"),
      prefixDelegation: given.has("cni-prefix-delegation-enabled"),
      maxEnis: maxEnisOf(given),
    },
    showMaxAllowed: given.has("show-max-allowed"),
    profile: valueOf(given, "profile"),
    ignored: positionals,
    logLevel: choiceOf(given, "log-level") ?? "info",
  };
}

function instanceTypeOf(given: Given): string {
  const type = valueOf(given, "instance-type");
  if (type === undefined) return refuseUsage("The instance type is missing", "Give it as --instance-type TYPE, or give --instance-type-from-imds on the instance itself.");
  return parseInstanceType(type) ?? refuseUsage(`Cannot use "${type}" as --instance-type: expected a type such as m5.large`);
}

function cniVersionOf(given: Given): CniVersion {
  const version = valueOf(given, "cni-version");
  if (version === undefined) return refuseUsage("The version of the VPC CNI is missing", "Give it, as in --cni-version 1.18.3.");
  return parseCniVersion(version) ?? refuseUsage(`Cannot use "${version}" as --cni-version: expected a version such as 1.18.3`);
}

function maxEnisOf(given: Given): number | undefined {
  const text = valueOf(given, "cni-max-eni");
  if (text === undefined) return undefined;
  return /^[1-9]\d{0,4}$/.test(text) ? Number(text) : refuseUsage(`Cannot use "${text}" as --cni-max-eni: expected a whole number from 1`);
}
