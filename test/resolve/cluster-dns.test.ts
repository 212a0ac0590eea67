import { describe, expect, it } from "vitest";
import type { ClusterConfig } from "../../src/config/node-config.ts";
import { needsServiceIpv6Cidr, needsVpcBlocks, resolveClusterDns } from "../../src/resolve/cluster-dns.ts";
import { CLUSTER, CONFIG_FILE, EXTRA_ARGS, facts, GIVEN, kubeletConfig, kubeletFlags, NAMED, nodeConfig, noted, option } from "./fixture.ts";

const ipv4Cidr = (value: string): ClusterConfig => ({ ...GIVEN, serviceCidrs: [option(value, "service-ipv4-cidr")] });
const ipv6Cidr = (value: string): ClusterConfig => ({ ...GIVEN, serviceCidrs: [option(value, "service-ipv6-cidr")] });
const addressOf = (cluster: ClusterConfig, family: "ipv4" | "ipv6" = "ipv4"): unknown =>
  noted((add) => resolveClusterDns(nodeConfig({ cluster }), facts(), family, add));

describe("the cluster DNS address is the tenth of the service block", () => {
  it.each([
    ["10.100.0.0/16", "10.100.0.10", "EKS's default outside of 10/8"],
    ["172.20.0.0/16", "172.20.0.10", "EKS's default inside of 10/8"],
    ["192.168.0.0/24", "192.168.0.10", "the smallest block that EKS takes"],
    ["172.16.0.0/12", "172.16.0.10", "the largest block that EKS takes"],
    ["172.20.5.7/16", "172.20.0.10", "host bits are masked: bootstrap.sh gave 172.20.5.10"],
    ["10.100.5.7/16", "10.100.0.10", "host bits are masked"],
  ])("%s -> %s (%s)", (cidr, address) => {
    expect(addressOf(ipv4Cidr(cidr))).toEqual({ result: { value: [address], source: `option --service-ipv4-cidr (${cidr})` }, notes: [] });
  });

  it.each([
    ["fc00::/7", "fc00::a", "the block that all others lie in"],
    ["fd30:1c53:5f8a::/108", "fd30:1c53:5f8a::a", "the usual shape"],
    ["fd00:1:2:3:4:5:6:0/112", "fd00:1:2:3:4:5:6:a", "no :: in the block"],
    ["fd00::10/124", "fd00::1a", "bootstrap.sh gave fd00::10a"],
    ["fd00:1:2:3:4:5:6:1000/116", "fd00:1:2:3:4:5:6:100a", "bootstrap.sh gave no address at all"],
    ["FD30::/108", "fd30::a", "in lower case"],
    ["fd00:ec2:1::/108", "fd00:ec2:1::a", "a block as the simulator gives it"],
  ])("%s -> %s (%s)", (cidr, address) => {
    expect(addressOf(ipv6Cidr(cidr), "ipv6")).toEqual({ result: { value: [address], source: `option --service-ipv6-cidr (${cidr})` }, notes: [] });
  });

  it("a block that ends before its tenth address is refused", () => {
    expect(() => addressOf(ipv4Cidr("10.100.0.0/29"))).toThrow('Cannot take the tenth address of "10.100.0.0/29" for the cluster DNS: the block is too small');
  });
});

describe("who says the cluster DNS address", () => {
  const given: ClusterConfig = { ...ipv4Cidr("172.20.0.0/16"), dnsAddresses: option(["10.0.0.10", "10.0.0.11"], "dns-cluster-ip") };
  const described = facts({ cluster: { value: CLUSTER } });

  it("--dns-cluster-ip beats the service block, and may be a list", () => {
    expect(addressOf(given)).toEqual({ result: { value: ["10.0.0.10", "10.0.0.11"], source: "option --dns-cluster-ip" }, notes: [] });
  });

  it("the service block beats DescribeCluster", () => {
    const { result } = noted((add) => resolveClusterDns(nodeConfig({ cluster: ipv4Cidr("172.20.0.0/16") }), described, "ipv4", add));
    expect(result.value).toEqual(["172.20.0.10"]);
  });

  it("DescribeCluster beats the guess", () => {
    const answer = noted((add) => resolveClusterDns(nodeConfig({ cluster: NAMED }), described, "ipv4", add));
    expect(answer).toEqual({ result: { value: ["10.96.0.10"], source: "eks:DescribeCluster (10.96.0.0/16)" }, notes: [] });
  });

  it("a block of the other family is left alone", () => {
    const both = { ...GIVEN, serviceCidrs: [option("172.20.0.0/16", "service-ipv4-cidr"), option("fd00::/108", "service-ipv6-cidr")] };
    expect(addressOf(both, "ipv6")).toMatchObject({ result: { value: ["fd00::a"] } });
    expect(addressOf(both, "ipv4")).toMatchObject({ result: { value: ["172.20.0.10"] } });
  });

  it.each([
    ["--cluster-dns", kubeletFlags("--cluster-dns=169.254.20.10"), EXTRA_ARGS],
    ["clusterDNS in the kubelet config", kubeletConfig({ clusterDNS: ["169.254.20.10"] }), CONFIG_FILE],
    ["clusterDNS null, for kubelet's default", kubeletConfig({ clusterDNS: null }), CONFIG_FILE],
  ])("%s leaves nothing to guess, and nothing to note", (_, kubelet, source) => {
    const answer = noted((add) => resolveClusterDns(nodeConfig({ kubelet }), facts(), "ipv4", add));
    expect(answer).toEqual({ result: { value: [], source }, notes: [] });
  });
});

describe("the guess by the VPC's blocks", () => {
  it.each([
    [["10.0.0.0/16"], "172.20.0.10", "the VPC's block 10.0.0.0/16 lies in 10.0.0.0/8", "a block in 10/8"],
    [["192.168.0.0/16", "10.1.0.0/16"], "172.20.0.10", "the VPC's block 10.1.0.0/16 lies in 10.0.0.0/8", "the second block counts as well"],
    [["192.168.0.0/16"], "10.100.0.10", "no block of the VPC lies in 10.0.0.0/8", "a block elsewhere"],
    [["100.64.0.0/16", "172.31.0.0/16"], "10.100.0.10", "no block of the VPC lies in 10.0.0.0/8", "100. is not 10."],
  ])("%j -> %s", (vpcIpv4Cidrs, address, because) => {
    const answer = noted((add) => resolveClusterDns(nodeConfig(), facts({ vpcIpv4Cidrs }), "ipv4", add));
    expect(answer).toEqual({
      result: { value: [address], source: "guess by the VPC's blocks" },
      notes: [{ code: "dns-guessed", message: `The cluster DNS address ${address} is a guess, since ${because}. Give --service-ipv4-cidr to be certain.` }],
    });
  });
});

describe("an IPv6 cluster whose service block nobody knows is an error that names both options", () => {
  it.each([
    [undefined, "eks:DescribeCluster was not asked"],
    [{ failure: "eks:DescribeCluster was denied" }, "eks:DescribeCluster was denied"],
    [{ value: CLUSTER }, "eks:DescribeCluster gives no IPv6 block for services, and ipv4 as the cluster's family"],
  ] as const)("%j", (cluster, why) => {
    const known = cluster === undefined ? facts() : facts({ cluster });
    expect(() => resolveClusterDns(nodeConfig(), known, "ipv6", () => undefined)).toThrow(
      expect.objectContaining({
        code: "config-invalid",
        message: `Cannot find out the cluster DNS address of this IPv6 cluster: ${why}`,
        remedy: "Give --service-ipv6-cidr or --dns-cluster-ip.",
      }) as Error,
    );
  });
});

describe("what must be asked for the cluster DNS address", () => {
  const ipv6: ClusterConfig = { ...GIVEN, ipFamily: option("ipv6", "ip-family") };
  const dns = { dnsAddresses: option(["fd00::a"], "dns-cluster-ip") };

  it.each([
    ["IPv6 with nothing else", { cluster: ipv6 }, true],
    ["IPv6 with its block", { cluster: { ...ipv6, ...ipv6Cidr("fd00::/108") } }, false],
    ["IPv6 with its DNS address", { cluster: { ...ipv6, ...dns } }, false],
    ["IPv6 with clusterDNS in the kubelet config", { cluster: ipv6, kubelet: kubeletConfig({ clusterDNS: ["fd00::a"] }) }, false],
    ["IPv6 with --cluster-dns", { cluster: ipv6, kubelet: kubeletFlags("--cluster-dns", "fd00::a") }, false],
    ["IPv6 when DescribeCluster is asked anyhow", { cluster: { ...NAMED, ipFamily: ipv6.ipFamily! } }, false],
    ["IPv4", {}, false],
  ])("DescribeCluster in one try: %s: %j", (_, changes, needed) => {
    expect(needsServiceIpv6Cidr(nodeConfig(changes))).toBe(needed);
  });

  it.each([
    ["IPv4 with nothing else", {}, facts(), true],
    ["IPv4 with its block", { cluster: ipv4Cidr("172.20.0.0/16") }, facts(), false],
    ["IPv4 with --cluster-dns", { kubelet: kubeletFlags("--cluster-dns=10.0.0.10") }, facts(), false],
    ["IPv6", { cluster: ipv6 }, facts(), false],
    ["while DescribeCluster has not answered", { cluster: NAMED }, facts(), false],
    ["DescribeCluster gives the block", { cluster: NAMED }, facts({ cluster: { value: CLUSTER } }), false],
    ["DescribeCluster gives no block", { cluster: NAMED }, facts({ cluster: { value: { name: "demo", endpoint: "", certificateAuthority: "", ipFamily: "ipv4" } } }), true],
  ])("the VPC's blocks: %s", (_, changes, known, needed) => {
    expect(needsVpcBlocks(nodeConfig(changes), known)).toBe(needed);
  });
});
