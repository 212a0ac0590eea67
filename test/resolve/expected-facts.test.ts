import { expect, test } from "vitest";
import { canonicalNames } from "../../src/resolve/canonical-name.ts";
import { expectedFacts } from "../../src/resolve/expected-facts.ts";
import type { Facts, InstanceFacts, Question } from "../../src/resolve/facts.ts";

const INSTANCE: InstanceFacts = { id: "i-0123456789abcdef0", type: "m5.large", region: "us-west-2", zone: "us-west-2a", accountId: "111122223333", dnsSuffix: "amazonaws.com", mac: "02:01:23:45:67:89", localIpv4: "10.0.3.4" };
const NAME: Question = { kind: "private-dns-name", region: "us-west-2", instanceId: INSTANCE.id };

test.each<[string, Partial<InstanceFacts>, readonly string[]]>([
  ["by address and by id", {}, ["ip-10-0-3-4.us-west-2.compute.internal", "i-0123456789abcdef0.us-west-2.compute.internal"]],
  ["in the first region without its name", { region: "us-east-1" }, ["ip-10-0-3-4.ec2.internal", "i-0123456789abcdef0.ec2.internal"]],
  ["in China", { region: "cn-north-1" }, ["ip-10-0-3-4.cn-north-1.compute.internal", "i-0123456789abcdef0.cn-north-1.compute.internal"]],
])("EC2's names of an instance are %s", (_, changes, expected) => {
  expect(canonicalNames({ ...INSTANCE, ...changes })).toEqual(expected);
});

test("an instance with only IPv6 has a name by its id alone", () => {
  const { localIpv4: _, ...ipv6Only } = INSTANCE;
  expect(canonicalNames(ipv6Only)).toEqual(["i-0123456789abcdef0.us-west-2.compute.internal"]);
});

test.each<[string, Facts, readonly Question[], string | undefined]>([
  ["EC2's answer alone is missing: the name by address", { instance: INSTANCE }, [NAME], "ip-10-0-3-4.us-west-2.compute.internal"],
  ["more is missing: nothing", { instance: INSTANCE }, [NAME, { kind: "vpc-ipv4-cidrs", mac: INSTANCE.mac }], undefined],
  ["something else is missing: nothing", { instance: INSTANCE }, [{ kind: "kubelet-version" }], undefined],
  ["nothing is missing: nothing", { instance: INSTANCE, privateDnsName: "a.example" }, [], undefined],
  ["the instance is not known: nothing", {}, [NAME], undefined],
])("expected when %s", (_, facts, pending, name) => {
  expect(expectedFacts(facts, pending)).toEqual(name === undefined ? undefined : { ...facts, privateDnsName: name });
});
