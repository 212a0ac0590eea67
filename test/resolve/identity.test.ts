import { describe, expect, it } from "vitest";
import type { Facts, InstanceFacts } from "../../src/resolve/facts.ts";
import { resolveCluster } from "../../src/resolve/cluster.ts";
import { type Identity, resolveIdentity } from "../../src/resolve/identity.ts";
import { parseUserArguments } from "../../src/resolve/user-arguments.ts";
import type { Note } from "../../src/resolve/notes.ts";
import { EXTRA_ARGS, FACTS, GIVEN, INSTANCE, kubeletFlags, nodeConfig, noted, option, version } from "./fixture.ts";

type Case = { readonly minor?: number; readonly changes?: Parameters<typeof nodeConfig>[0]; readonly known?: Facts };

function identity({ minor = 33, changes = {}, known = FACTS }: Case = {}): { readonly result: Identity; readonly notes: readonly Note[] } {
  const config = nodeConfig(changes);
  const cluster = resolveCluster(config, known, option("demo", "name"), () => undefined);
  const user = parseUserArguments(config.kubelet.flags);
  return noted((add) => resolveIdentity({ config, facts: known, instance: known.instance ?? INSTANCE, cluster, version: version(minor), user }, add));
}

const PROVIDER_ID = "aws:///us-east-1a/i-0123456789abcdef0";
const DNS_NAME = "ip-192-168-10-20.ec2.internal";
const outpost = { cluster: { ...GIVEN, outpost: option(true, "enable-local-outpost"), id: option("c0ffee", "cluster-id") } };
const instanceId = { kubelet: { nodeName: option("instance-id" as const, "node-name") } };
const flag = (...words: readonly string[]): Case["changes"] => ({ kubelet: kubeletFlags(...words) });

describe("cloud provider, node name and provider id", () => {
  it.each<[string, Case, string, string | undefined, string | undefined]>([
    ["kubelet 1.26 and later: external", { minor: 26 }, "external", DNS_NAME, PROVIDER_ID],
    ["kubelet below: aws, which finds name and id out", { minor: 25 }, "aws", undefined, undefined],
    ["a local cluster on Outposts: external at any version", { minor: 21, changes: outpost }, "external", DNS_NAME, PROVIDER_ID],
    ["--node-name instance-id", { changes: instanceId }, "external", INSTANCE.id, PROVIDER_ID],
    ["--hostname-override beats all", { changes: { kubelet: { ...instanceId.kubelet, ...kubeletFlags("--hostname-override=me") } } }, "external", "me", PROVIDER_ID],
    ["--hostname-override of the in-tree provider", { minor: 25, changes: flag("--hostname-override=me") }, "aws", "me", undefined],
    ["an empty --hostname-override leaves the agent's: never the OS host name", { changes: flag("--hostname-override=") }, "external", DNS_NAME, PROVIDER_ID],
    ["--cloud-provider=external on an old kubelet", { minor: 24, changes: flag("--cloud-provider=external") }, "external", DNS_NAME, PROVIDER_ID],
    ["--cloud-provider=aws on a new kubelet: the provider id stays, by the rule", { minor: 26, changes: flag("--cloud-provider=aws") }, "aws", undefined, PROVIDER_ID],
    ["no cloud provider at all: still never the OS host name", { changes: flag("--cloud-provider=") }, "", DNS_NAME, PROVIDER_ID],
  ])("%s", (_, of, cloudProvider, name, providerId) => {
    const { result, notes } = identity(of);
    expect([result.cloudProvider.value, result.hostnameOverride?.value, result.providerId?.value]).toEqual([cloudProvider, name, providerId]);
    expect(notes).toEqual([]);
  });

  it("each has its source", () => {
    expect(identity().result).toEqual({
      nodeIp: { value: "192.168.10.20", source: "IMDS local-ipv4" },
      cloudProvider: { value: "external", source: "kubelet 1.33.1" },
      hostnameOverride: { value: DNS_NAME, source: "ec2:DescribeInstances PrivateDnsName" },
      providerId: { value: PROVIDER_ID, source: "IMDS" },
    });
    expect(identity({ minor: 21, changes: outpost }).result.cloudProvider.source).toBe("local cluster on Outposts");
    expect(identity({ changes: flag("--cloud-provider=aws") }).result.cloudProvider.source).toBe(EXTRA_ARGS);
  });

  it("the provider id has the zone of a local zone, and not its region", () => {
    const known = { ...FACTS, instance: { ...INSTANCE, region: "us-west-2", zone: "us-west-2-lax-1a" } };
    expect(identity({ known }).result.providerId?.value).toBe("aws:///us-west-2-lax-1a/i-0123456789abcdef0");
  });

  it("an instance id that the in-tree provider cannot be told is noted", () => {
    expect(identity({ minor: 25, changes: instanceId }).notes).toEqual([
      { code: "node-name-unused", message: 'The node\'s name is not the instance id that option --node-name asks for: the cloud provider "aws" (kubelet 1.25.1) takes PrivateDnsName.' },
    ]);
  });
});

describe("the node's name with --node-name-source imds-if-canonical", () => {
  const changes = { kubelet: { nodeNameSource: option("imds-if-canonical" as const, "node-name-source") } };
  const { localIpv4: _, ...ipv6Only } = INSTANCE;
  const ofEc2 = "ip-1-2-3-4.ec2.internal";
  const why = (reason: string): string => `EC2 was asked for the node's name in spite of --node-name-source imds-if-canonical: ${reason}.`;
  const other = (name: string): string => why(`IMDS's local-hostname is "${name}", and not ${DNS_NAME} or ${INSTANCE.id}.ec2.internal`);

  it.each<[string, string, InstanceFacts]>([
    ["by address", DNS_NAME, INSTANCE],
    ["by id", `${INSTANCE.id}.ec2.internal`, INSTANCE],
    ["by id, on an instance with only IPv6", `${INSTANCE.id}.ec2.internal`, ipv6Only],
    ["by address, outside the first region", "ip-192-168-10-20.eu-west-1.compute.internal", { ...INSTANCE, region: "eu-west-1" }],
  ])("is IMDS's where that is EC2's %s", (_case, name, instance) => {
    const { privateDnsName: __, ...known } = FACTS;
    const { result, notes } = identity({ changes: { ...changes, kubelet: { ...changes.kubelet, ...kubeletFlags("--node-ip=10.9.8.7") } }, known: { ...known, instance, localHostname: { value: name } } });
    expect([result.hostnameOverride, notes]).toEqual([{ value: name, source: "IMDS local-hostname" }, []]);
  });

  it("is IMDS's in lower case", () => {
    const { privateDnsName: __, ...known } = FACTS;
    expect(identity({ changes, known: { ...known, localHostname: { value: "IP-192-168-10-20.EC2.Internal" } } }).result.hostnameOverride?.value).toBe(DNS_NAME);
  });

  it.each<[string, Facts["localHostname"], string]>([
    ["a domain of the VPC's own", { value: "ip-192-168-10-20.corp.example" }, other("ip-192-168-10-20.corp.example")],
    ["a longer domain", { value: `${DNS_NAME}.corp.example` }, other(`${DNS_NAME}.corp.example`)],
    ["no domain", { value: "ip-192-168-10-20" }, other("ip-192-168-10-20")],
    ["a final dot", { value: `${DNS_NAME}.` }, other(`${DNS_NAME}.`)],
    ["another address", { value: "ip-192-168-10-21.ec2.internal" }, other("ip-192-168-10-21.ec2.internal")],
    ["another instance's id", { value: "i-00000000000000000.ec2.internal" }, other("i-00000000000000000.ec2.internal")],
    ["another region's domain", { value: "ip-192-168-10-20.us-east-1.compute.internal" }, other("ip-192-168-10-20.us-east-1.compute.internal")],
    ["none", { failure: 'IMDS has no "meta-data/local-hostname"' }, why('IMDS has no "meta-data/local-hostname"')],
  ])("is EC2's, with a note, where IMDS has %s", (_case, localHostname, message) => {
    const { result, notes } = identity({ changes, known: { ...FACTS, privateDnsName: ofEc2, ...(localHostname && { localHostname }) } });
    expect(result.hostnameOverride).toEqual({ value: ofEc2, source: "ec2:DescribeInstances PrivateDnsName" });
    expect(notes).toEqual([{ code: "node-name-from-ec2", message }]);
  });

  it("is the instance id, if that is asked for as well", () => {
    expect(identity({ changes: { kubelet: { ...changes.kubelet, ...instanceId.kubelet } } })).toMatchObject({ result: { hostnameOverride: { value: INSTANCE.id, source: "option --node-name" } }, notes: [] });
  });
});

describe("the node's address", () => {
  const { localIpv4: _, ...ipv6Only } = INSTANCE;
  const ipv6 = { cluster: { ...GIVEN, serviceCidrs: [option("fd00::/108", "service-ipv6-cidr")] } };

  it.each<[string, Case, string, string]>([
    ["IPv4: local-ipv4", {}, "192.168.10.20", "IMDS local-ipv4"],
    ["IPv6: that of the primary interface", { changes: ipv6, known: { ...FACTS, ipv6Address: { value: "2600::1" } } }, "2600::1", "IMDS ipv6s"],
    ["the user's", { changes: flag("--node-ip=10.9.8.7") }, "10.9.8.7", EXTRA_ARGS],
    ["the user's, on an instance without any", { changes: flag("--node-ip=10.9.8.7"), known: { ...FACTS, instance: ipv6Only } }, "10.9.8.7", EXTRA_ARGS],
  ])("%s", (_name, of, value, source) => {
    expect(identity(of).result.nodeIp).toEqual({ value, source });
  });

  it.each<[string, Case, string, string]>([
    [
      "no IPv4 address",
      { known: { ...FACTS, instance: ipv6Only } },
      "Cannot find the node's IPv4 address: this instance has no private IPv4 address",
      "Give --ip-family ipv6 with --service-ipv6-cidr if the cluster is an IPv6 one.",
    ],
    [
      "no IPv6 address",
      { changes: ipv6, known: { ...FACTS, ipv6Address: { failure: "the primary interface has none" } } },
      "Cannot find the node's IPv6 address: the primary interface has none",
      "Assign an IPv6 address to the primary network interface: the launch template or subnet decides.",
    ],
  ])("%s is an error with its remedy", (_name, of, message, remedy) => {
    expect(() => identity(of)).toThrow(expect.objectContaining({ code: "config-invalid", message, remedy }) as Error);
  });
});
