import { expect, test } from "vitest";
import { factsFromFile } from "../../src/gather/replay.ts";
import type { Facts } from "../../src/resolve/facts.ts";

const FACTS: Facts = {
  instance: { id: "i-1", type: "m5.large", region: "us-west-2", zone: "us-west-2a", accountId: "111122223333", dnsSuffix: "amazonaws.com", mac: "02:01:23:45:67:89" },
  vpcIpv4Cidrs: ["10.0.0.0/16"],
  ipv6Address: { failure: "none" },
  cluster: { value: { name: "demo", endpoint: "https://a", certificateAuthority: "LS0=", ipFamily: "ipv4", serviceIpv4Cidr: "172.20.0.0/16" } },
  privateDnsName: "a.b",
  localHostname: { value: "a.b" },
  instanceType: { value: { enis: 3, ipv4PerEni: 10 } },
  resolves: { "a.b": true },
  kubeletVersion: { value: { version: "1.33.5", source: "/usr/bin/kubelet --version" } },
  containerdVersion: { failure: "none" },
  host: {
    cpus: 2,
    memoryMiB: 7748,
    architecture: "x86_64",
    cgroupVersion: 2,
    swapOn: false,
    fips: false,
    nvidiaDevice: false,
    bpfMounted: true,
    sysctls: { "kernel.panic": -1 },
    programs: { aws: "/usr/bin/aws" },
    files: { "/etc/eks/eni-max-pods.txt": "m5.large 29\n" },
    present: ["/etc/eks/pause.tar"],
    enabledUnits: [],
  },
};

test("facts that were printed are the same facts", () => {
  expect(factsFromFile(JSON.stringify(FACTS, null, 2), "f.json")).toEqual(FACTS);
});

test("no facts are facts", () => {
  expect(factsFromFile("{}", "f.json")).toEqual({});
});

test.each<[string, string, string, readonly string[]]>([
  ["no JSON", "{", "it is not JSON: Expected property name or '}' in JSON at position 1 (line 1 column 2)", []],
  ["a list", "[]", "1 thing in it is wrong", ["the file: expected an object, not []"]],
  ["too much", JSON.stringify({ privateDnsName: "x".repeat(8 * 1024 * 1024) }), "it is larger than 8388608 bytes", []],
  [
    "all that is wrong at once",
    '{"instance":{"id":null,"type":1},"vpcIpv4Cidrs":["a",2],"cluster":{"value":{}},"extra":true}',
    "13 things in it are wrong",
    [
      "instance.region is missing",
      "instance.zone is missing",
      "instance.accountId is missing",
      "instance.dnsSuffix is missing",
      "instance.mac is missing",
      "instance.id: expected text, not null",
      "instance.type: expected text, not 1",
      "vpcIpv4Cidrs[1]: expected text, not 2",
      "cluster.value.name is missing",
      "cluster.value.endpoint is missing",
      "cluster.value.certificateAuthority is missing",
      "cluster.value.ipFamily is missing",
      "extra is unknown",
    ],
  ],
  ["an answer that is neither", '{"ipv6Address":{}}', "1 thing in it is wrong", ['ipv6Address: expected an object with "value" or "failure", not {}']],
  ["an answer that is both", '{"ipv6Address":{"value":"a","failure":"b"}}', "1 thing in it is wrong", ["ipv6Address.failure is unknown"]],
  ["half a number", '{"instanceType":{"value":{"enis":1.5,"ipv4PerEni":-1}}}', "2 things in it are wrong", ["instanceType.value.enis: expected a whole number, not 1.5", "instanceType.value.ipv4PerEni: expected a whole number, not -1"]],
  ["another word", '{"cluster":{"value":{"name":"a","endpoint":"b","certificateAuthority":"c","ipFamily":"IPv4"}}}', "1 thing in it is wrong", ['cluster.value.ipFamily: expected "ipv4" or "ipv6", not "IPv4"']],
  ["a wrong value under a name with dots", '{"resolves":{"a.b":1}}', "1 thing in it is wrong", ['resolves["a.b"]: expected true or false, not 1']],
  ["a name of every object", '{"toString":1}', "1 thing in it is wrong", ["toString is unknown"]],
])("%s is refused in words", (_, contents, why, lines) => {
  expect(() => factsFromFile(contents, "f.json")).toThrow(
    expect.objectContaining({
      code: "config-invalid",
      message: `Cannot use "f.json" as facts: ${why}`,
      remedy: "Write one anew on a node: eks-node-agent facts > facts.json.",
      lines,
    }) as Error,
  );
});
