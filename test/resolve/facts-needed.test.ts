import { describe, expect, it } from "vitest";
import type { ClusterConfig, KubeletConfig, NodeConfig } from "../../src/config/node-config.ts";
import type { Facts } from "../../src/resolve/facts.ts";
import { expectedAwsCalls, factsNeeded } from "../../src/resolve/facts-needed.ts";
import { missingFacts } from "../../src/resolve/unanswered.ts";
import { CLUSTER, FACTS, GIVEN, host, INSTANCE, kubeletConfig, kubeletFlags, NAMED, nodeConfig, option } from "./fixture.ts";

/** Names of the questions; the four that are always there left out. */
function asked(config: NodeConfig, known: Facts): readonly string[] {
  const always = ["instance", "host", "kubelet-version", "containerd-version"];
  const kinds = factsNeeded(config, known).map(({ kind }) => kind);
  expect(kinds.slice(0, 4)).toEqual(always);
  return kinds.slice(4);
}

const FIRST: Facts = { instance: INSTANCE };
const kubelet = (version: string): Facts => ({ ...FIRST, kubeletVersion: { value: { version, source: "kubelet --version" } } });
const ipv6: ClusterConfig = { ...GIVEN, ipFamily: option("ipv6", "ip-family") };
const ipv6Cidr: ClusterConfig = { ...GIVEN, serviceCidrs: [option("fd00::/108", "service-ipv6-cidr")] };
const instanceId = { nodeName: option("instance-id" as const, "node-name") };

describe("what is asked before anything is known", () => {
  it("is what depends on nothing", () => {
    expect(factsNeeded(nodeConfig({ cluster: NAMED }), {})).toEqual([
      { kind: "instance" },
      { kind: "host", credentialProvider: undefined },
      { kind: "kubelet-version" },
      { kind: "containerd-version" },
    ]);
  });

  it("names the credential provider that the operator names", () => {
    const config = nodeConfig({ kubelet: { credentialProvider: option("/opt/ecr", "x") } });
    expect(factsNeeded(config, {})[1]).toEqual({ kind: "host", credentialProvider: "/opt/ecr" });
  });
});

describe("what is asked once the instance is known", () => {
  it.each<[string, Parameters<typeof nodeConfig>[0], Facts, readonly string[]]>([
    ["endpoint and CA given: the VPC's blocks, for the guess", {}, FIRST, ["vpc-ipv4-cidrs"]],
    ["with the service block: nothing", { cluster: { ...GIVEN, serviceCidrs: [option("172.20.0.0/16", "service-ipv4-cidr")] } }, FIRST, []],
    ["with the DNS address: nothing", { cluster: { ...GIVEN, dnsAddresses: option(["10.0.0.10"], "dns-cluster-ip") } }, FIRST, []],
    ["with --cluster-dns: nothing", { kubelet: kubeletFlags("--cluster-dns=10.0.0.10") }, FIRST, []],
    ["with clusterDNS in the kubelet config: nothing", { kubelet: kubeletConfig({ clusterDNS: ["10.0.0.10"] }) }, FIRST, []],
    ["only the name given: DescribeCluster", { cluster: NAMED }, FIRST, ["cluster"]],
    ["CA missing: DescribeCluster", { cluster: { ...NAMED, apiServerEndpoint: GIVEN.apiServerEndpoint! } }, FIRST, ["cluster"]],
    ["no name at all: nothing to ask DescribeCluster for", { cluster: {} }, FIRST, []],
    ["DescribeCluster answers without a service block: the VPC's blocks", { cluster: NAMED }, { ...FIRST, cluster: { value: { name: "demo", endpoint: "", certificateAuthority: "", ipFamily: "ipv4" } } }, ["cluster", "vpc-ipv4-cidrs"]],
    ["DescribeCluster answers IPv6: the node's address", { cluster: NAMED }, { ...FIRST, cluster: { value: { ...CLUSTER, ipFamily: "ipv6", serviceIpv6Cidr: "fd00::/108" } } }, ["cluster", "ipv6-address"]],
    ["IPv6 with its block: the node's address", { cluster: ipv6Cidr }, FIRST, ["ipv6-address"]],
    ["IPv6 without: DescribeCluster as well", { cluster: ipv6 }, FIRST, ["cluster", "ipv6-address"]],
    ["IPv6 with the DNS address: the node's address", { cluster: { ...ipv6, dnsAddresses: option(["fd00::a"], "dns-cluster-ip") } }, FIRST, ["ipv6-address"]],
    ["IPv6 by option, name only: both at once", { cluster: { ...NAMED, ipFamily: ipv6.ipFamily! } }, FIRST, ["cluster", "ipv6-address"]],
  ])("%s", (_, changes, known, kinds) => {
    expect(asked(nodeConfig(changes), known)).toEqual(kinds);
  });

  it.each<[string, ClusterConfig, string]>([
    ["until the deadline when nothing goes without it", NAMED, "until-deadline"],
    ["once when only the DNS address of IPv6 is missing", ipv6, "one-try"],
  ])("DescribeCluster is tried %s", (_, cluster, patience) => {
    expect(factsNeeded(nodeConfig({ cluster }), FIRST)[4]).toEqual({ kind: "cluster", name: "demo", region: "us-east-1", accountId: "111122223333", patience });
  });
});

describe("PrivateDnsName is asked for only where it becomes the node's name", () => {
  const dns: ClusterConfig = { ...GIVEN, dnsAddresses: option(["10.0.0.10"], "dns-cluster-ip") };
  const outpost: ClusterConfig = { ...dns, outpost: option(true, "enable-local-outpost"), id: option("c0ffee", "cluster-id") };

  it.each<[string, Parameters<typeof nodeConfig>[0], Facts, readonly string[]]>([
    ["kubelet 1.26", {}, kubelet("1.26.0"), ["private-dns-name"]],
    ["kubelet 1.25", {}, kubelet("1.25.0"), []],
    ["kubelet 1.25 in a local cluster on Outposts", { cluster: outpost }, kubelet("1.25.0"), ["addresses", "private-dns-name"]],
    ["kubelet 1.25 with --cloud-provider=external", { kubelet: kubeletFlags("--cloud-provider=external") }, kubelet("1.25.0"), ["private-dns-name"]],
    ["kubelet 1.26 with --cloud-provider=aws", { kubelet: kubeletFlags("--cloud-provider=aws") }, kubelet("1.26.0"), []],
    ["kubelet's version not yet known", {}, FIRST, []],
    ["kubelet's version not to be known", {}, { ...FIRST, kubeletVersion: { failure: "no kubelet" } }, []],
    ["--node-name instance-id", { kubelet: instanceId }, kubelet("1.33.0"), []],
    ["--hostname-override", { kubelet: kubeletFlags("--hostname-override=me") }, kubelet("1.33.0"), []],
    ["--hostname-override, empty", { kubelet: kubeletFlags("--hostname-override=") }, kubelet("1.33.0"), ["private-dns-name"]],
  ])("%s", (_, changes, known, kinds) => {
    expect(asked(nodeConfig({ cluster: dns, ...changes }), known)).toEqual(kinds);
  });

  it("by region and id", () => {
    expect(factsNeeded(nodeConfig({ cluster: dns }), kubelet("1.33.0"))[4]).toEqual({ kind: "private-dns-name", region: "us-east-1", instanceId: "i-0123456789abcdef0" });
  });
});

describe("with --node-name-source imds-if-canonical", () => {
  const dns: ClusterConfig = { ...GIVEN, dnsAddresses: option(["10.0.0.10"], "dns-cluster-ip") };
  const imds = { nodeNameSource: option("imds-if-canonical" as const, "node-name-source") };
  const told = (value: string): Facts => ({ ...kubelet("1.33.0"), localHostname: { value } });

  it.each<[string, Partial<KubeletConfig>, Facts, readonly string[]]>([
    ["IMDS is asked before anything is known", imds, {}, ["local-hostname"]],
    ["EC2 is not while IMDS has not told its name", imds, kubelet("1.33.0"), ["local-hostname"]],
    ["EC2 is not while the instance is not known", imds, { kubeletVersion: { value: { version: "1.33.0", source: "x" } }, localHostname: { value: "a.example" } }, ["local-hostname"]],
    ["EC2 is not when the name is that of the address", imds, told("ip-192-168-10-20.ec2.internal"), ["local-hostname"]],
    ["EC2 is not when the name is that of the id", imds, told("i-0123456789abcdef0.ec2.internal"), ["local-hostname"]],
    ["EC2 is for any other name", imds, told("ip-192-168-10-20.corp.example"), ["local-hostname", "private-dns-name"]],
    ["EC2 is where IMDS has no name", imds, { ...kubelet("1.33.0"), localHostname: { failure: "none" } }, ["local-hostname", "private-dns-name"]],
    ["EC2 is not below kubelet 1.26", imds, { ...told("a.example"), ...kubelet("1.25.0") }, ["local-hostname"]],
    ["neither is for an instance id", { ...imds, ...instanceId }, kubelet("1.33.0"), []],
    ["neither is for a name of the user's", { ...imds, ...kubeletFlags("--hostname-override=me") }, kubelet("1.33.0"), []],
    ["IMDS is not with --node-name-source ec2", { nodeNameSource: option("ec2", "node-name-source") }, kubelet("1.33.0"), ["private-dns-name"]],
  ])("%s", (_, changes, known, kinds) => {
    expect(asked(nodeConfig({ cluster: dns, kubelet: changes }), known)).toEqual(kinds);
  });

  it.each<[string, Facts, readonly string[]]>([
    ["nothing while it may be", {}, ["eks"]],
    ["nothing when it is", told("ip-192-168-10-20.ec2.internal"), ["eks"]],
    ["EC2 when it is not", told("ip-192-168-10-20.corp.example"), ["eks", "ec2"]],
  ])("where IMDS's name is canonical EC2 is not expected to be asked: %s", (_, known, calls) => {
    expect(expectedAwsCalls(nodeConfig({ cluster: NAMED, kubelet: imds }), known)).toEqual(calls);
  });

  it.each<[string, Facts, readonly string[]]>([
    ["IMDS's name", kubelet("1.33.0"), ["localHostname"]],
    ["EC2's as well, where IMDS's is another", told("a.example"), ["privateDnsName"]],
    ["none", told("ip-192-168-10-20.ec2.internal"), []],
  ])("facts of another config lack %s", (_, known, missing) => {
    expect(missingFacts(nodeConfig({ cluster: dns, kubelet: imds }), { host: host(), containerdVersion: { failure: "none" }, ...known })).toEqual(missing);
  });
});

describe("what is asked once the host is known", () => {
  const dns: ClusterConfig = { ...GIVEN, dnsAddresses: option(["10.0.0.10"], "dns-cluster-ip") };
  const fips = "602401143452.dkr.ecr-fips.us-east-1.amazonaws.com";

  it.each<[string, Facts, readonly unknown[]]>([
    ["a known type: nothing", { ...FIRST, host: host() }, []],
    ["a type in no table: its limits", { instance: { ...INSTANCE, type: "z9.large" }, host: host() }, [{ kind: "instance-type", region: "us-east-1", type: "z9.large" }]],
    ["while the image's table may have it: nothing yet", { instance: { ...INSTANCE, type: "z9.large" } }, []],
    ["FIPS mode: whether the registry's name resolves", { ...FIRST, host: host({ fips: true }) }, [{ kind: "resolves", host: fips }]],
  ])("%s", (_, known, questions) => {
    expect(factsNeeded(nodeConfig({ cluster: dns }), known).slice(4)).toEqual(questions);
  });
});

describe("the questions come to an end", () => {
  it.each([
    ["endpoint given", nodeConfig()],
    ["name only", nodeConfig({ cluster: NAMED })],
  ])("with every answer, no question is new: %s", (_, config) => {
    const all: Facts = { ...FACTS, cluster: { value: CLUSTER } };
    expect(factsNeeded(config, { ...all, ipv6Address: { value: "2600::1" } })).toEqual(factsNeeded(config, all));
  });
});

describe("expectedAwsCalls(): for which APIs clients and credentials are made ready at once", () => {
  it.each<[string, Parameters<typeof nodeConfig>[0], readonly string[]]>([
    ["endpoint and CA given: only the node's name, at most versions", {}, ["ec2"]],
    ["endpoint and CA given, named by instance id", { kubelet: instanceId }, []],
    ["endpoint and CA given, named by the user", { kubelet: kubeletFlags("--hostname-override=me") }, []],
    ["the cluster's name only", { cluster: NAMED }, ["eks", "ec2"]],
    ["the cluster's name only, named by instance id", { cluster: NAMED, kubelet: instanceId }, ["eks"]],
    ["IPv6 without a block, named by instance id", { cluster: ipv6, kubelet: instanceId }, ["eks"]],
    ["the in-tree cloud provider", { kubelet: kubeletFlags("--cloud-provider=aws") }, []],
  ])("%s: %j", (_, changes, expected) => {
    expect(expectedAwsCalls(nodeConfig(changes))).toEqual(expected);
  });
});
