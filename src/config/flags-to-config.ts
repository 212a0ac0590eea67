import { type Sourced, sourced } from "../lib/sourced.ts";
import { splitWords, undoublePercents } from "../lib/systemd-words.ts";
import { type GatherOverrides, readGatherOverrides } from "./gather-overrides.ts";
import { type Given, givenBy } from "./given.ts";
import { mergeNodeConfigs } from "./merge.ts";
import type { KubeletConfig, NodeConfig } from "./node-config.ts";
import type { ConfigNote, Problem } from "./problems.ts";
import { serviceCidr } from "./setting-values.ts";
import { configOf, type Reading, readValue, SETTINGS, subject } from "./settings.ts";

export type { GatherOverrides };

/** The words of a command line, and the variables that go with them, that say something of the node. */
export type CommandLine = {
  readonly cluster: string | undefined;
  /** bootstrap.sh's options by name without dashes. */
  readonly options: Readonly<Record<string, string>>;
  readonly environment: Readonly<Record<string, string>>;
  readonly nodeName: "private-dns" | "instance-id" | undefined;
  readonly nodeNameSource: "ec2" | "imds-if-canonical" | undefined;
  readonly reserveFor: "peers" | "effective" | undefined;
  readonly authenticator: "auto" | "aws-iam-authenticator" | "aws" | "agent" | undefined;
};

export type CommandLineConfig = {
  readonly config: NodeConfig;
  readonly problems: readonly Problem[];
  readonly notes: readonly ConfigNote[];
  readonly gatherOverrides: GatherOverrides;
  /** Path of the file whose text belongs into `containerd.configFile`. */
  readonly containerdConfigFile: Sourced<string> | undefined;
};

/** What a command line asks for. Everything wrong with it is in the problems, at once; what is right is in the config all the same. */
export function configFromCommandLine(line: CommandLine): CommandLineConfig {
  const given = givenBy(line.options, line.environment);
  const readings = [...readSettings(given), ...readServiceCidrs(given), ...readKubeletFlags(given)];
  const good = readings.filter((reading) => "value" in reading);
  const config = mergeNodeConfigs([...good.map(({ value }) => value), configOf(ownWords(line))]);
  const { overrides, problems } = readGatherOverrides(given);
  return {
    config,
    problems: [...readings.flatMap((reading) => ("problem" in reading ? [reading.problem] : [])), ...problems],
    notes: good.flatMap(({ notes }) => notes),
    gatherOverrides: overrides,
    containerdConfigFile: given.find("containerd-config-file", "CONTAINERD_CONFIG_FILE"),
  };
}

function readSettings(given: Given): Reading<NodeConfig>[] {
  return SETTINGS.flatMap(({ option, variable, read }) => {
    const text = given.find(option, variable);
    return text === undefined ? [] : [read(text)];
  });
}

const SERVICE_CIDRS = [
  { option: "service-ipv4-cidr", variable: "SERVICE_IPV4_CIDR", parse: serviceCidr("ipv4") },
  { option: "service-ipv6-cidr", variable: "SERVICE_IPV6_CIDR", parse: serviceCidr("ipv6") },
] as const;

/** The options together replace the variables together: one family's option must not be joined by the other's variable. */
function readServiceCidrs(given: Given): Reading<NodeConfig>[] {
  const byOption = SERVICE_CIDRS.flatMap(({ option, parse }) => readBlock(parse, given.option(option)));
  const readings = byOption.length > 0 ? byOption : SERVICE_CIDRS.flatMap(({ variable, parse }) => readBlock(parse, given.variable(variable)));
  const good = readings.filter((reading) => "value" in reading);
  const problems = readings.filter((reading) => "problem" in reading);
  if (good.length === 0) return problems;
  const serviceCidrs = good.map(({ value }) => value);
  return [...problems, { value: configOf({ cluster: { serviceCidrs } }), notes: good.flatMap(({ notes }) => notes) }];
}

/** `aws --output text` prints None where a cluster has no block of a family. */
function readBlock(parse: ReturnType<typeof serviceCidr>, text: Sourced<string> | undefined): Reading<Sourced<string>>[] {
  return text === undefined || text.value === "None" ? [] : [readValue(parse, text)];
}

/** The variable's come first. bootstrap.sh let the option replace them, and people lost flags. */
function readKubeletFlags(given: Given): Reading<NodeConfig>[] {
  return [given.variable("KUBELET_EXTRA_ARGS"), given.option("kubelet-extra-args")].flatMap((text) => (text === undefined ? [] : [readWords(text)]));
}

function readWords({ value, source }: Sourced<string>): Reading<NodeConfig> {
  const { text, wasDoubled } = undoublePercents(value);
  const split = splitWords(text);
  if ("problem" in split) return { problem: { source, message: `${split.problem}.` } };
  const doubled = wasDoubled ? [{ code: "percent-undoubled", message: `${subject(source)} holds "%%", which is taken as "%": only unit files need it doubled.` }] : [];
  const remarks = split.remarks.map((remark) => ({ code: "kubelet-arguments-quoting", message: `${subject(source)}: ${remark}` }));
  return { value: configOf({ kubelet: { flags: [sourced(split.words, source)] } }), notes: [...doubled, ...remarks] };
}

function ownWords({ cluster, nodeName, nodeNameSource, reserveFor, authenticator }: CommandLine): { cluster: NodeConfig["cluster"]; kubelet: Partial<KubeletConfig> } {
  return {
    cluster: cluster === undefined ? {} : { name: sourced(cluster, "command line") },
    kubelet: {
      ...(nodeName && { nodeName: sourced(nodeName, "option --node-name") }),
      ...(nodeNameSource && { nodeNameSource: sourced(nodeNameSource, "option --node-name-source") }),
      ...(reserveFor && { reserveFor: sourced(reserveFor, "option --reserve-for") }),
      ...(authenticator && { authenticator: sourced(authenticator, "option --authenticator") }),
    },
  };
}
