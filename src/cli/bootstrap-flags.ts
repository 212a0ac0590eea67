import { parseWait, refuseUsage } from "./flag-values.ts";
import { choiceOf, configSources, valueOf, type Given } from "./given.ts";
import { refuseMisplacedOptions } from "./misplaced-options.ts";
import { OPTIONS, type OptionName } from "./options.ts";
import { recordedArgs } from "./recorded-args.ts";

/** What says how the node is configured, and how its facts are gathered. */
export type ConfigFlags = {
  readonly cluster: string | undefined;
  /** bootstrap.sh's options that are given and not empty, by name without dashes. Paths are absolute. */
  readonly options: Readonly<Record<string, string>>;
  /** The variables that are read, set and not empty; few unless the command is bootstrap and names the cluster. */
  readonly environment: Readonly<Record<string, string>>;
  /** Empty when the usual places hold. Paths are absolute. */
  readonly configSources: readonly string[];
  readonly kubeletConfigFile: string | undefined;
  readonly nodeName: "private-dns" | "instance-id" | undefined;
  readonly nodeNameSource: "ec2" | "imds-if-canonical" | undefined;
  readonly reserveFor: "peers" | "effective" | undefined;
  readonly authenticator: "auto" | "aws-iam-authenticator" | "aws" | "agent" | undefined;
  readonly strict: boolean;
  readonly deadlineMs: number;
  readonly logLevel: "debug" | "info" | "warn" | "error";
  readonly root: string;
};

export type BootstrapFlags = ConfigFlags & {
  /** What the manifest records: words that configure the node in the same way when parsed again. Empty when none do. */
  readonly args: readonly string[];
  readonly dryRun: boolean;
  readonly explain: boolean;
  readonly output: "text" | "json";
  readonly detailedExitCode: boolean;
  readonly preflight: "error" | "warn";
  readonly facts: string | undefined;
  readonly wait: "none" | "active" | "healthy";
  readonly waitTimeoutMs: number;
  readonly forget: boolean;
};

export function configFlags(cluster: string | undefined, given: Given, environment: Readonly<Record<string, string>>): ConfigFlags {
  const options = scriptOptions(given);
  refuseMisplacedOptions("--kubelet-extra-args", options["kubelet-extra-args"] ?? "");
  refuseMisplacedOptions("KUBELET_EXTRA_ARGS", environment["KUBELET_EXTRA_ARGS"] ?? "");
  return {
    cluster,
    options,
    environment,
    configSources: configSources(given),
    kubeletConfigFile: valueOf(given, "kubelet-config-file"),
    nodeName: choiceOf(given, "node-name"),
    nodeNameSource: choiceOf(given, "node-name-source"),
    reserveFor: choiceOf(given, "reserve-for"),
    authenticator: choiceOf(given, "authenticator"),
    strict: given.has("strict"),
    deadlineMs: parseWait("deadline", valueOf(given, "deadline") ?? "10m"),
    logLevel: choiceOf(given, "log-level") ?? "info",
    root: valueOf(given, "root") ?? "/",
  };
}

function scriptOptions(given: Given): Record<string, string> {
  const script = OPTIONS.filter(({ group }) => group === "bootstrap.sh").map(({ name }) => [name, valueOf(given, name)] as const);
  return Object.fromEntries(script.filter((entry): entry is [OptionName, string] => entry[1] !== undefined));
}

export function bootstrapFlags(cluster: string | undefined, given: Given, environment: Readonly<Record<string, string>>): BootstrapFlags {
  const dryRun = given.has("dry-run");
  for (const name of ["facts", "detailed-exit-code"] as const) {
    if (given.has(name) && !dryRun) refuseUsage(`--${name} goes with --dry-run only`, `Add --dry-run, or leave --${name} out.`);
  }
  return {
    ...configFlags(cluster, given, environment),
    args: recordedArgs(cluster, given),
    dryRun,
    explain: given.has("explain"),
    output: choiceOf(given, "output") ?? "text",
    detailedExitCode: given.has("detailed-exit-code"),
    preflight: choiceOf(given, "preflight") ?? "error",
    facts: valueOf(given, "facts"),
    wait: choiceOf(given, "wait") ?? "healthy",
    waitTimeoutMs: parseWait("wait-timeout", valueOf(given, "wait-timeout") ?? "180s"),
    forget: given.has("forget"),
  };
}
