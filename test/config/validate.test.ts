import { describe, expect, it } from "vitest";
import { EMPTY_NODE_CONFIG } from "../../src/config/node-config.ts";
import { showProblem } from "../../src/config/problems.ts";
import { configOf } from "../../src/config/settings.ts";
import { validateNodeConfig } from "../../src/config/validate.ts";

const from = <Value>(source: string, value: Value) => ({ value, source });
const problemsOf = (part: Parameters<typeof configOf>[0]) => validateNodeConfig(configOf(part)).map((problem) => showProblem(problem));

it("nothing asked for is no problem", () => {
  expect(validateNodeConfig(EMPTY_NODE_CONFIG)).toEqual([]);
});

describe("a cluster's name", () => {
  it.each(["prod", "0", "my-cluster_2", "x".repeat(100)])("%s can be one", (name) => {
    expect(problemsOf({ cluster: { name: from("command line", name) } })).toEqual([]);
  });

  it.each(["-x", "a b", "a/b", "../x", "ü", "a\nb"])("%j cannot", (name) => {
    expect(problemsOf({ cluster: { name: from("command line", name) } })).toEqual([
      `command line: Cannot use ${JSON.stringify(name)} as the name of an EKS cluster: it has at most 100 letters, digits, "-" and "_", and begins with a letter or digit.`,
    ]);
  });

  it("of 101 letters cannot, and is not shown whole", () => {
    expect(problemsOf({ cluster: { name: from("user-data", "x".repeat(101)) } })).toEqual([
      `user-data: Cannot use "${"x".repeat(40)}"… (101 characters) as the name of an EKS cluster: it has at most 100 letters, digits, "-" and "_", and begins with a letter or digit.`,
    ]);
  });
});

describe("family and service blocks", () => {
  const v4 = from("environment SERVICE_IPV4_CIDR", "172.20.0.0/16");
  const v6 = from("option --service-ipv6-cidr", "fd30::/108");
  const family = (value: "ipv4" | "ipv6") => from("option --ip-family", value);
  it.each([
    ["ipv4 with an IPv4 block", { ipFamily: family("ipv4"), serviceCidrs: [v4] }, []],
    ["ipv6 with an IPv6 block", { ipFamily: family("ipv6"), serviceCidrs: [v6] }, []],
    ["ipv6 with both", { ipFamily: family("ipv6"), serviceCidrs: [v4, v6] }, []],
    ["ipv6 with neither", { ipFamily: family("ipv6") }, []],
    ["no family with both", { serviceCidrs: [v4, v6] }, []],
    [
      "ipv4 with an IPv6 block",
      { ipFamily: family("ipv4"), serviceCidrs: [v6] },
      ["option --ip-family: Cannot use the IP family ipv4 with the service CIDR fd30::/108 (option --service-ipv6-cidr): they contradict each other."],
    ],
    [
      "ipv4 with both",
      { ipFamily: family("ipv4"), serviceCidrs: [v4, v6] },
      ["option --ip-family: Cannot use the IP family ipv4 with the service CIDR fd30::/108 (option --service-ipv6-cidr): they contradict each other."],
    ],
    [
      "ipv6 with an IPv4 block",
      { ipFamily: family("ipv6"), serviceCidrs: [v4] },
      ["option --ip-family: Cannot use the IP family ipv6 with the service CIDR 172.20.0.0/16 (environment SERVICE_IPV4_CIDR): they contradict each other."],
    ],
  ])("%s", (_, cluster, problems) => {
    expect(problemsOf({ cluster })).toEqual(problems);
  });
});

describe("a local cluster on Outposts", () => {
  const outpost = from("option --enable-local-outpost", true);
  const given = { apiServerEndpoint: from("a", "https://x"), certificateAuthority: from("a", "PEM") };
  it.each([
    ["by endpoint, CA and id", { outpost, ...given, id: from("a", "i") }, []],
    ["whose id the EKS API will give", { outpost }, []],
    ["that is none", { outpost: from("a", false), ...given }, []],
    [
      "by endpoint and CA alone",
      { outpost, ...given },
      ["option --enable-local-outpost: Cannot join a local cluster on Outposts by endpoint and CA alone: its id is needed too, as --cluster-id or spec.cluster.id."],
    ],
  ])("%s", (_, cluster, problems) => {
    expect(problemsOf({ cluster })).toEqual(problems);
  });
});
