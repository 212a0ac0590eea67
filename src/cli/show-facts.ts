import type { Answer, ClusterFacts, Facts, HostFacts, InstanceFacts, InstanceTypeFacts, ProgramVersion } from "../resolve/facts.ts";
import { type Line, line } from "./colour.ts";
import { redact } from "./redact.ts";
import { wrap } from "./wrap.ts";

/** What was found out about the world, a line for each part that was asked for. `facts` prints all of it, as JSON. */
export function showFacts(facts: Facts): readonly Line[] {
  const shown = ROWS.flatMap(([label, show]) => labelled(label, show(facts)));
  return shown.length === 0 ? [line("  none")] : shown;
}

const LABEL_WIDTH = 14;

function labelled(label: string, parts: readonly (string | undefined)[] | undefined): readonly Line[] {
  const text = parts?.filter((part) => part !== undefined).join(", ") ?? "";
  if (text === "") return [];
  return wrap(redact(text), `  ${label.padEnd(LABEL_WIDTH)}`, " ".repeat(LABEL_WIDTH + 2)).map((each) => line(each));
}

type Parts = readonly (string | undefined)[] | undefined;

const ROWS: readonly (readonly [label: string, show: (facts: Facts) => Parts])[] = [
  ["instance", ({ instance }) => instance && showInstance(instance)],
  ["life cycle", ({ lifeCycle }) => showAnswer(lifeCycle, (value) => [value])],
  ["addresses", ({ instance, ipv6Address }) => [instance?.localIpv4, showAnswer(ipv6Address, (address) => [address], "no IPv6 address: ")].flat()],
  ["VPC", ({ vpcIpv4Cidrs }) => vpcIpv4Cidrs],
  ["private DNS", ({ privateDnsName }) => [privateDnsName]],
  ["IMDS name", ({ localHostname }) => showAnswer(localHostname, (value) => [value])],
  ["cluster", ({ cluster }) => showAnswer(cluster, showCluster)],
  ["instance type", ({ instanceType }) => showAnswer(instanceType, showInstanceType)],
  ["host names", ({ resolves = {} }) => Object.entries(resolves).map(([host, does]) => `${host} ${does ? "resolves" : "does not resolve"}`)],
  ["API server", ({ addresses = {} }) => Object.values(addresses).flat()],
  ["kubelet", ({ kubeletVersion }) => showAnswer(kubeletVersion, showVersion)],
  ["containerd", ({ containerdVersion }) => showAnswer(containerdVersion, showVersion)],
  ["host", ({ host }) => host && showHost(host)],
  ["programs", ({ host }) => host && Object.values(host.programs).toSorted()],
  ["image files", ({ host }) => host && [...Object.keys(host.files), ...host.present].toSorted()],
  ["local disks", ({ localDisks }) => (localDisks?.length === 0 ? ["none"] : localDisks)],
  ["other agents", ({ host }) => host?.enabledUnits.map((unit) => `${unit} is enabled`)],
];

function showAnswer<T>(answer: Answer<T> | undefined, show: (value: T) => readonly (string | undefined)[], failed = "not known: "): readonly (string | undefined)[] {
  if (answer === undefined) return [];
  return "value" in answer ? show(answer.value) : [failed + answer.failure];
}

function showInstance({ id, type, zone, accountId }: InstanceFacts): Parts {
  return [id, type, zone, `account ${accountId}`];
}

function showCluster(cluster: ClusterFacts): readonly (string | undefined)[] {
  return [cluster.name, cluster.endpoint, cluster.ipFamily, cluster.serviceIpv4Cidr, cluster.serviceIpv6Cidr, cluster.outpostArn];
}

function showInstanceType({ enis, ipv4PerEni }: InstanceTypeFacts): readonly string[] {
  return [`${enis} network interfaces`, `${ipv4PerEni} IPv4 addresses each`];
}

function showVersion({ version, source }: ProgramVersion): readonly string[] {
  return [`${version} (${source})`];
}

function showHost(host: HostFacts): Parts {
  return [
    host.architecture,
    `${host.cpus} CPUs`,
    `${host.memoryMiB} MiB`,
    `cgroup v${host.cgroupVersion}`,
    host.swapOn ? "swap on" : undefined,
    host.fips ? "FIPS" : undefined,
    host.nvidiaDevice ? "NVIDIA device" : undefined,
  ];
}
