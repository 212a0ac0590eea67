import { describe, expect, it } from "vitest";
import type { ClusterConfig } from "../../src/config/node-config.ts";
import type { ClusterFacts } from "../../src/resolve/facts.ts";
import { resolveIpFamily } from "../../src/resolve/ip-family.ts";
import { CLUSTER, facts, NAMED, nodeConfig, noted, option } from "./fixture.ts";

const v4 = option("172.20.0.0/16", "service-ipv4-cidr");
const v6 = option("fd00::/108", "service-ipv6-cidr");
const ipv6Cluster: ClusterFacts = { ...CLUSTER, ipFamily: "ipv6", serviceIpv6Cidr: "fd00::/108" };

describe("the IP family", () => {
  it.each<[string, ClusterConfig, ClusterFacts | undefined, string, string]>([
    ["the option beats the block", { ipFamily: option("ipv4", "ip-family"), serviceCidrs: [v6] }, undefined, "ipv4", "option --ip-family"],
    ["the block's", { serviceCidrs: [v4] }, undefined, "ipv4", "option --service-ipv4-cidr"],
    ["an IPv6 block makes an IPv6 cluster", { serviceCidrs: [v4, v6] }, undefined, "ipv6", "option --service-ipv6-cidr"],
    ["DescribeCluster's, if it was asked", {}, ipv6Cluster, "ipv6", "eks:DescribeCluster"],
    ["IPv4 when nobody says", {}, undefined, "ipv4", "default"],
  ])("%s", (_, cluster, described, value, source) => {
    const known = described === undefined ? facts() : facts({ cluster: { value: described } });
    expect(noted((add) => resolveIpFamily(nodeConfig({ cluster: { ...NAMED, ...cluster } }), known, add))).toEqual({ result: { value, source }, notes: [] });
  });

  it("a family that DescribeCluster contradicts is used, and noted", () => {
    const config = nodeConfig({ cluster: { ...NAMED, ipFamily: option("ipv4", "ip-family") } });
    const { result, notes } = noted((add) => resolveIpFamily(config, facts({ cluster: { value: ipv6Cluster } }), add));
    expect(result.value).toBe("ipv4");
    expect(notes).toEqual([{ code: "ip-family-differs", message: "The IP family ipv4 (option --ip-family) is used, although eks:DescribeCluster says that the cluster's is ipv6." }]);
  });
});
