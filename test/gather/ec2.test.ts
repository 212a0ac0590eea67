import { expect, test } from "vitest";
import { createGatherer } from "../../src/gather/gatherer.ts";
import type { GatherSettings } from "../../src/gather/settings.ts";
import type { Facts, Question } from "../../src/resolve/facts.ts";
import type { Fault, FaultKind } from "../simulator/faults.ts";
import type { SimulatorOptions } from "../simulator/simulator.ts";
import { WORLD } from "../simulator/world.ts";
import { told, withSimulator } from "./fixture.ts";
import type { Fixture } from "./fixture.ts";

const INSTANCE = {
  id: WORLD.instanceId,
  type: WORLD.instanceType,
  region: WORLD.region,
  zone: WORLD.zone,
  accountId: WORLD.accountId,
  dnsSuffix: WORLD.dnsSuffix,
  mac: WORLD.mac,
};
const NAME: Question = { kind: "private-dns-name", region: WORLD.region, instanceId: WORLD.instanceId };
const TYPE: Question = { kind: "instance-type", region: WORLD.region, type: "z9.twocards" };

type Ask = (question: Question) => Promise<Facts>;

async function withEc2<T>(options: SimulatorOptions, use: (ask: Ask, fixture: Fixture) => Promise<T>, changes: Partial<GatherSettings> = {}): Promise<T> {
  return withSimulator(options, changes, async (fixture) => {
    const gatherer = createGatherer(fixture.settings);
    try {
      return await use((question) => gatherer.ask(question, { instance: INSTANCE }), fixture);
    } finally {
      await gatherer.close();
    }
  });
}

function failing(kind: FaultKind, times?: number): readonly Fault[] {
  return [{ on: "Describe*", ...kind, ...(times === undefined ? {} : { times }) }];
}

const TWO_INSTANCES = "<item><instancesSet><item/><item/></instancesSet></item>";

function error(name: string, status: number, message?: string): FaultKind {
  return { kind: "error", name, status, ...(message === undefined ? {} : { message }) };
}

function named(privateDnsName: string): FaultKind {
  return { kind: "world", change: (world) => ({ ...world, privateDnsName }) };
}

function xml(body: string): FaultKind {
  return { kind: "status", status: 200, body: `<?xml version="1.0"?><DescribeInstancesResponse><reservationSet>${body}</reservationSet></DescribeInstancesResponse>` };
}

test.each([
  [WORLD.privateDnsName, WORLD.privateDnsName],
  ["IP-10-0-1-23.Corp.Example", "ip-10-0-1-23.corp.example"],
  ["i-0123456789abcdef0.us-west-2.compute.internal", "i-0123456789abcdef0.us-west-2.compute.internal"],
])("the private DNS name %s is %s", async (privateDnsName, expected) => {
  await withEc2({ world: { ...WORLD, privateDnsName } }, async (ask) => expect(await ask(NAME)).toEqual({ privateDnsName: expected }));
});

test("the request names the instance, by a filter as well, and the version of the API", async () => {
  await withEc2({}, async (ask, { simulator }) => {
    await ask(NAME);
    expect(simulator.requests.at(-1)).toMatchObject({
      method: "POST",
      target: "DescribeInstances",
      detail: "Action=DescribeInstances&Version=2016-11-15&InstanceId.1=i-0123456789abcdef0&Filter.1.Name=instance-id&Filter.1.Value.1=i-0123456789abcdef0",
      status: 200,
    });
  });
});

test.each<[string, FaultKind]>([
  ["the name is empty", named("")],
  ["EC2 does not know the instance", error("InvalidInstanceID.NotFound", 400)],
  ["EC2's filter does not find the instance", xml("")],
  ["calls are throttled", error("RequestLimitExceeded", 503)],
  ["EC2 fails", error("InternalError", 500)],
  ["EC2 is unavailable", error("Unavailable", 503)],
  ["a proxy fails with a page of HTML", { kind: "status", status: 503, body: "<html></html>" }],
  ["connections are reset", { kind: "reset" }],
])("%s for a while: it waits", async (_, fault) => {
  await withEc2({ faults: failing(fault, 5) }, async (ask, { clock }) => {
    expect([await ask(NAME), clock.slept]).toEqual([{ privateDnsName: WORLD.privateDnsName }, [750, 1500, 3000, 6000, 12_000]]);
  });
});

test.each<[string, FaultKind]>([
  ["the role may not yet", error("UnauthorizedOperation", 403)],
  ["AWS does not know the credentials yet", error("AuthFailure", 401)],
  ["the answer is a page of HTML", { kind: "html" }],
  ["the answer is empty", { kind: "empty" }],
  ["the name is no host name", named("null null")],
  ["there are two instances", xml(TWO_INSTANCES)],
])("%s, for a few seconds: it waits", async (_, fault) => {
  await withEc2({ faults: failing(fault, 3) }, async (ask, { clock }) => {
    expect([await ask(NAME), clock.slept]).toEqual([{ privateDnsName: WORLD.privateDnsName }, [500, 1000, 2000]]);
  });
});

const PREFIX = "Cannot find the private DNS name of i-0123456789abcdef0 in us-west-2 (ec2:DescribeInstances): ";

test.each<[string, FaultKind, string]>([
  ["the name stays empty", named(""), "unreachable: PREFIXit has none yet, as before it is running (31 tries in 586 s)"],
  ["EC2 never knows the instance", error("InvalidInstanceID.NotFound", 400), "unreachable: PREFIXEC2 does not know it yet (InvalidInstanceID.NotFound) (31 tries in 586 s)"],
  ["calls stay throttled", error("RequestLimitExceeded", 503, "Request limit exceeded."), "throttled: PREFIXit is throttled (RequestLimitExceeded: Request limit exceeded.) (31 tries in 586 s)"],
  ["the role may not", error("UnauthorizedOperation", 403, `You are not authorized. Encoded: ${"x".repeat(2000)}`), `access-denied: PREFIXthe node's credentials do not allow ec2:DescribeInstances (UnauthorizedOperation: You are not authorized. Encoded: ${"x".repeat(267)}…) (7 tries in 10 s)`],
  ["it is malformed", error("InvalidInstanceID.Malformed", 400, "Invalid id"), "config-invalid: PREFIXit refuses the request (InvalidInstanceID.Malformed: Invalid id)"],
  ["it is always a page of HTML", { kind: "html" }, "remote-nonsense: PREFIXthe answer (status 200) is not EC2's XML (7 tries in 10 s)"],
  ["the name is no host name", named("-a.b"), 'remote-nonsense: PREFIX"-a.b" is not a host name (7 tries in 10 s)'],
  ["there are two instances", xml(TWO_INSTANCES), "remote-nonsense: PREFIXthe answer has 2 instances in place of one (7 tries in 10 s)"],
])("%s: it gives up", async (_, fault, message) => {
  await withEc2({ faults: failing(fault) }, async (ask) => expect(await told(ask(NAME))).toBe(message.replace("PREFIX", PREFIX)));
});

test("what IAM does not allow is told with the way that needs no DescribeInstances", async () => {
  await withEc2({ faults: failing(error("UnauthorizedOperation", 403)) }, async (ask) => {
    await expect(ask(NAME)).rejects.toMatchObject({
      exitStatus: 77,
      remedy:
        "Allow ec2:DescribeInstances to the instance's role (AmazonEKSWorkerNodePolicy does), or use --node-name instance-id with the node's role mapped to system:node:{{SessionName}}, for example by an access entry of type EC2.",
    });
  });
});

test("PRIVATE_DNS_NAME_MAX_ATTEMPTS and _ATTEMPT_INTERVAL replace the deadline's patience", async () => {
  await withEc2(
    { faults: failing(named("")) },
    async (ask, { clock }) => {
      expect([await told(ask(NAME)), clock.slept]).toEqual([`unreachable: ${PREFIX}it has none yet, as before it is running (3 tries in 12 s)`, [6_000, 6_000]]);
    },
    { privateDnsName: { maxTries: 3, intervalMs: 6_000 } },
  );
});

test.each([
  ["z9.twocards", { value: { enis: 8, ipv4PerEni: 30 } }],
  ["m5.large", { value: { enis: 3, ipv4PerEni: 10 } }],
])("interfaces of %s are those of the default card, wherever it is in the list", async (type, instanceType) => {
  await withEc2({}, async (ask) => expect(await ask({ ...TYPE, type })).toEqual({ instanceType }));
});

const TYPE_PREFIX = 'Cannot describe instance type "z9.twocards" in us-west-2 (ec2:DescribeInstanceTypes): ';

test.each<[string, FaultKind, string]>([
  ["an unknown type", { kind: "world", change: (world) => ({ ...world, instanceTypes: [] }) }, "it refuses the request (InvalidInstanceType: The following supplied instance types do not exist: [z9.twocards])"],
  ["a role that may not", error("UnauthorizedOperation", 403), "the node's credentials do not allow ec2:DescribeInstanceTypes (UnauthorizedOperation: simulated) (7 tries in 10 s)"],
  ["a card without interfaces", twoCards({ cards: [{ index: 0, enis: 4 }] }), "it has no interfaces on its default network card, 1 (7 tries in 10 s)"],
  ["no addresses", twoCards({ ipv4PerEni: 0 }), "it has no IPv4 addresses for an interface (7 tries in 10 s)"],
])("%s is a failure in words, not an error", async (_, fault, failure) => {
  await withEc2({ faults: failing(fault) }, async (ask) => expect(await ask(TYPE)).toEqual({ instanceType: { failure: TYPE_PREFIX + failure } }));
});

function twoCards(changes: Partial<(typeof WORLD.instanceTypes)[number]>): FaultKind {
  return { kind: "world", change: (world) => ({ ...world, instanceTypes: world.instanceTypes.map((type) => ({ ...type, ...changes })) }) };
}

test.each([
  ["an hour behind", 3_600_000],
  ["an hour ahead", -3_600_000],
])("a clock that is %s, as before NTP's first answer, is made up for", async (_, clockAheadMs) => {
  await withEc2({ world: { ...WORLD, clockAheadMs } }, async (ask, { clock }) => {
    expect([await ask(NAME), clock.slept]).toEqual([{ privateDnsName: WORLD.privateDnsName }, [500]]);
  });
});
