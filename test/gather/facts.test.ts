import { expect, test } from "vitest";
import { loadEc2 } from "../../src/gather/ec2.ts";
import { loadEks } from "../../src/gather/eks.ts";
import { gatherFacts } from "../../src/gather/facts.ts";
import type { Imds } from "../../src/gather/imds.ts";
import { gatherInstance } from "../../src/gather/instance.ts";
import { createGatherer } from "../../src/gather/gatherer.ts";
import type { Gatherer } from "../../src/gather/gatherer.ts";
import type { Facts, Question } from "../../src/resolve/facts.ts";
import { depthOf, mostInFlight, showRequests } from "../simulator/log.ts";
import { CLUSTER, IPV6_CLUSTER, WORLD } from "../simulator/world.ts";
import { told, withSimulator } from "./fixture.ts";
import { withTree } from "./tree.ts";

const MAC: Question = { kind: "vpc-ipv4-cidrs", mac: WORLD.mac };
const NAME: Question = { kind: "private-dns-name", region: WORLD.region, instanceId: WORLD.instanceId };
const IPV6: Question = { kind: "ipv6-address", mac: WORLD.mac };
const HOST: Question = { kind: "resolves", host: "a.example" };
const OTHER_HOST: Question = { kind: "resolves", host: "b.example" };

/** A gatherer of which each question is answered, or failed, by hand. */
function byHand() {
  const pending = new Map<string, { question: Question; resolve: (facts: Facts) => void; reject: (error: Error) => void; signal: AbortSignal | undefined }>();
  const asked: string[] = [];
  const ask: Gatherer["ask"] = (question, _, signal) =>
    new Promise((resolve, reject) => {
      asked.push(JSON.stringify(question));
      pending.set(JSON.stringify(question), { question, resolve, reject, signal });
    });
  const one = (question: Question) => {
    const found = pending.get(JSON.stringify(question));
    if (found === undefined) throw new Error(`not asked: ${JSON.stringify(question)}`);
    return found;
  };
  return {
    ask,
    asked: () => asked.map((text) => (JSON.parse(text) as Question).kind),
    answer: async (question: Question, facts: Facts) => {
      one(question).resolve(facts);
      await new Promise(setImmediate);
    },
    fail: (question: Question, error: Error) => one(question).reject(error),
    signal: (question: Question) => one(question).signal,
  };
}

test("each answer may bring new questions, which wait for no other answer", async () => {
  const hand = byHand();
  const facts = gatherFacts((known) => [MAC, NAME, ...(known.vpcIpv4Cidrs === undefined ? [] : [IPV6])], hand);
  await hand.answer(MAC, { vpcIpv4Cidrs: ["10.0.0.0/16"] });
  expect(hand.asked()).toEqual(["vpc-ipv4-cidrs", "private-dns-name", "ipv6-address"]);
  await hand.answer(IPV6, { ipv6Address: { value: "2001:db8::1" } });
  await hand.answer(NAME, { privateDnsName: "a" });
  expect(await facts).toEqual({ vpcIpv4Cidrs: ["10.0.0.0/16"], ipv6Address: { value: "2001:db8::1" }, privateDnsName: "a" });
});

test("an answer that comes while another is awaited is not lost", async () => {
  const hand = byHand();
  const facts = gatherFacts(() => [HOST, OTHER_HOST], hand);
  await Promise.all([hand.answer(HOST, { resolves: { "a.example": true } }), hand.answer(OTHER_HOST, { resolves: { "b.example": false } })]);
  expect(await facts).toEqual({ resolves: { "a.example": true, "b.example": false } });
});

test("the first failure is thrown at once, and the rest is told to end", async () => {
  const hand = byHand();
  const facts = gatherFacts(() => [MAC, NAME], hand);
  const failure = new Error("no name");
  hand.fail(NAME, failure);
  await expect(facts).rejects.toBe(failure);
  expect(hand.signal(MAC)?.reason).toBe(failure);
});

test("nothing to ask are no facts", async () => {
  expect(await gatherFacts(() => [], byHand())).toEqual({});
});

/** What a node asks that knows no more than its cluster's name, as the core would. */
function questions(facts: Facts): readonly Question[] {
  const { instance, cluster } = facts;
  if (instance === undefined) return [{ kind: "instance" }, { kind: "host", credentialProvider: "/opt/provider" }, { kind: "kubelet-version" }, { kind: "containerd-version" }];
  const isIpv6 = cluster !== undefined && "value" in cluster && cluster.value.ipFamily === "ipv6";
  return [
    { kind: "vpc-ipv4-cidrs", mac: instance.mac },
    { kind: "cluster", name: "demo", region: instance.region, accountId: instance.accountId, patience: "until-deadline" },
    { kind: "private-dns-name", region: instance.region, instanceId: instance.id },
    { kind: "instance-type", region: instance.region, type: instance.type },
    { kind: "resolves", host: "localhost" },
    ...(isIpv6 ? [{ kind: "ipv6-address", mac: instance.mac } as const] : []),
  ];
}

const PROGRAMS = {
  "/usr/bin/kubelet": { program: "echo Kubernetes v1.33.5-eks-113cf36" },
  "/usr/bin/containerd": { program: "echo containerd github.com/containerd/containerd/v2 2.1.4 0123456" },
  "/opt/provider": { program: "" },
  "/proc/meminfo": "MemTotal: 7934567 kB\n",
};

test("all facts of an IPv6 node, with one token and as few requests one after another as there can be", async () => {
  const world = { ...WORLD, instanceType: "z9.twocards", ipv6s: ["2001:DB8:0::1", "2001:db8::2"], clusters: [IPV6_CLUSTER] };
  // What holds up this process must be short beside the latency: the order of requests tells how deep they are.
  await Promise.all([loadEks(), loadEc2()]);
  await withTree(PROGRAMS, async (root) => {
    await withSimulator({ world, latency: { imdsMs: 200, awsMs: 200 } }, { root }, async ({ settings, simulator }) => {
      const gatherer = createGatherer(settings);
      gatherer.warmUp();
      const { host, ...facts } = await gatherFacts(questions, gatherer);
      await gatherer.close();
      expect(host?.programs).toEqual({ containerd: "/usr/bin/containerd", "ecr-credential-provider": "/opt/provider" });
      expect(facts).toEqual({
        instance: {
          id: WORLD.instanceId,
          type: "z9.twocards",
          region: WORLD.region,
          zone: WORLD.zone,
          accountId: WORLD.accountId,
          dnsSuffix: WORLD.dnsSuffix,
          mac: WORLD.mac,
          localIpv4: WORLD.localIpv4,
        },
        vpcIpv4Cidrs: ["10.0.0.0/16"],
        ipv6Address: { value: "2001:db8::1" },
        cluster: {
          value: {
            name: "demo",
            endpoint: CLUSTER.endpoint,
            certificateAuthority: CLUSTER.certificateAuthority?.data,
            ipFamily: "ipv6",
            serviceIpv6Cidr: "fd30:1c53:5f8a::/108",
          },
        },
        privateDnsName: WORLD.privateDnsName,
        instanceType: { value: { enis: 8, ipv4PerEni: 30 } },
        resolves: { localhost: true },
        kubeletVersion: { value: { version: "1.33.5", source: "/usr/bin/kubelet --version" } },
        containerdVersion: { value: { version: "2.1.4", source: "/usr/bin/containerd --version" } },
      });
      const imds = simulator.requests.filter(({ target }) => target.startsWith("/latest/"));
      expect(showRequests(simulator.requests).filter((request) => request.startsWith("PUT"))).toHaveLength(1);
      expect(imds).toHaveLength(8);
      // The address waits for the cluster's family: token, role, credentials, cluster, address.
      expect(depthOf(simulator.requests)).toBe(5);
      expect(depthOf(imds.filter(({ target }) => !target.endsWith("/ipv6s")))).toBe(3);
      expect(mostInFlight(simulator.requests)).toBeGreaterThanOrEqual(4);
    });
  });
});

test.each<[string, object, Question, object]>([
  ["no IPv6 address", {}, IPV6, { ipv6Address: { failure: "The primary interface (02:01:23:45:67:89) has no IPv6 address" } }],
  ["no IPv4 in the VPC", { vpcIpv4Cidrs: [] }, MAC, { vpcIpv4Cidrs: [] }],
  ["two blocks in the VPC", { vpcIpv4Cidrs: ["10.0.0.0/16", "100.64.0.0/16"] }, MAC, { vpcIpv4Cidrs: ["10.0.0.0/16", "100.64.0.0/16"] }],
  ["a name that does not resolve", {}, { kind: "resolves", host: "nowhere.invalid" }, { resolves: { "nowhere.invalid": false } }],
])("%s", async (_, changes, question, expected) => {
  await withSimulator({ world: { ...WORLD, ...changes } }, {}, async ({ settings }) => {
    const gatherer = createGatherer(settings);
    const facts = await gatherer.ask(question, {}).finally(() => gatherer.close());
    expect(facts).toEqual(expected);
  });
});

test.each([
  ["an IPv6-only instance has no IPv4 address", { localIpv4: undefined }, [], { localIpv4: undefined }],
  ["the region is not cut out of the zone's name", { zone: "us-west-2-lax-1a" }, [], { zone: "us-west-2-lax-1a", region: "us-west-2" }],
  ["an old instance has no placement/region, and its region is in its document", {}, [{ on: "/latest/meta-data/placement/region", kind: "status", status: 404 }], { region: "us-west-2" }],
] as const)("%s", async (_, changes, faults, expected) => {
  await withSimulator({ world: { ...WORLD, ...changes }, faults }, {}, async ({ settings }) => {
    const gatherer = createGatherer(settings);
    const { instance } = await gatherer.ask({ kind: "instance" }, {}).finally(() => gatherer.close());
    expect({ ...instance, localIpv4: instance?.localIpv4 }).toMatchObject(expected);
  });
});

test.each([
  ["is in the identity document", "10.0.3.4", "10.0.3.4", 3],
  ["is asked for by itself where the document has none", null, "10.9.9.9", 4],
  ["is asked for by itself where the document's is none", "fd00::1", "10.9.9.9", 4],
])("an instance's IPv4 address %s", async (_, privateIp, expected, count) => {
  const document = { accountId: WORLD.accountId, availabilityZone: WORLD.zone, instanceId: WORLD.instanceId, instanceType: "m5.large", privateIp, region: WORLD.region };
  const values: Readonly<Record<string, string>> = {
    "dynamic/instance-identity/document": JSON.stringify(document),
    "meta-data/services/domain": WORLD.dnsSuffix,
    "meta-data/mac": WORLD.mac,
    "meta-data/local-ipv4": "10.9.9.9",
  };
  const asked: string[] = [];
  const get: Imds["get"] = (path, parse) => {
    asked.push(path);
    return Promise.resolve(parse(values[path] ?? ""));
  };
  const { localIpv4 } = await gatherInstance({ get, getBytes: () => Promise.resolve(undefined), hasToken: () => Promise.resolve(), rest: () => undefined, close: () => Promise.resolve() });
  expect([localIpv4, asked.length]).toEqual([expected, count]);
});

test.each([
  ["the identity document", "/latest/dynamic/instance-identity/document", '{"region":null}', 'Cannot read "dynamic/instance-identity/document" from IMDS at http://SIMULATOR: "{"region":null}" cannot be the value (12 tries in 10 s)'],
  ["the DNS suffix", "/latest/meta-data/services/domain", "amazonaws.com/../x", 'Cannot read "meta-data/services/domain" from IMDS at http://SIMULATOR: "amazonaws.com/../x" cannot be the value (12 tries in 10 s)'],
  ["the MAC address", "/latest/meta-data/mac", undefined, 'IMDS has no "meta-data/mac", which every instance has'],
])("%s is checked, and missed when it is absent", async (_, on, body, message) => {
  const fault = body === undefined ? ({ on, kind: "status", status: 404 } as const) : ({ on, kind: "status", status: 200, body } as const);
  await withSimulator({ faults: [fault] }, {}, async ({ settings }) => {
    const gatherer = createGatherer(settings);
    expect(await told(gatherer.ask({ kind: "instance" }, {}).finally(() => gatherer.close()))).toBe(`remote-nonsense: ${message}`);
  });
});

test("useEnvironment() holds for the AWS calls after it", async () => {
  await withSimulator({}, {}, async ({ settings, simulator }) => {
    const gatherer = createGatherer({ ...settings, environment: { AWS_ENDPOINT_URL_EC2: "http://127.0.0.1:1" } });
    gatherer.useEnvironment(simulator.environment);
    const instance = { dnsSuffix: "amazonaws.com" } as NonNullable<Facts["instance"]>;
    expect(await gatherer.ask(NAME, { instance }).finally(() => gatherer.close())).toEqual({ privateDnsName: WORLD.privateDnsName });
  });
});

test("close() ends a question that is being asked", async () => {
  await withSimulator({ faults: [{ on: "*", kind: "hang" }] }, {}, async ({ settings }) => {
    const gatherer = createGatherer(settings);
    const asking = told(gatherer.ask({ kind: "instance" }, {}));
    await new Promise(setImmediate);
    await gatherer.close();
    expect(await asking).toBe("Error: the gatherer was closed");
  });
});
