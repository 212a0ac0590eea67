import { expect, test } from "vitest";
import { createCredentials } from "../../src/gather/credentials.ts";
import type { CredentialSource } from "../../src/gather/credentials.ts";
import { createImds } from "../../src/gather/imds.ts";
import { showRequests } from "../simulator/log.ts";
import type { SimulatorOptions } from "../simulator/simulator.ts";
import { WORLD } from "../simulator/world.ts";
import type { World } from "../simulator/world.ts";
import { told, withSimulator } from "./fixture.ts";
import type { Fixture } from "./fixture.ts";

const ROLES = "/latest/meta-data/iam/security-credentials/";
const { accessKeyId, secretAccessKey, token, expiration } = WORLD.credentials;
const OF_THE_ROLE = { accessKeyId, secretAccessKey, sessionToken: token, expiration: new Date(expiration) };

async function withCredentials<T>(options: SimulatorOptions, use: (source: CredentialSource, fixture: Fixture) => Promise<T>, environment: Record<string, string> = {}): Promise<T> {
  return withSimulator(options, { environment }, async (fixture) => {
    const imds = createImds(fixture.settings);
    try {
      return await use(createCredentials(imds, fixture.settings), fixture);
    } finally {
      await imds.close();
    }
  });
}

const MALFORMED =
  'remote-nonsense: Cannot read "meta-data/iam/security-credentials/demo-node-role" from IMDS at http://SIMULATOR: the answer is malformed (12 tries in 10 s)';

/** How often the role's credentials were fetched. */
function fetches({ simulator }: Fixture): number {
  return showRequests(simulator.requests).filter((request) => request === `GET ${ROLES}demo-node-role`).length;
}

function expiringIn(seconds: number): World {
  return { ...WORLD, credentials: { ...WORLD.credentials, expiration: new Date(Date.now() + seconds * 1000).toISOString() } };
}

test("the role's are three requests deep, and fetched once for all", async () => {
  await withCredentials({}, async (source, { simulator }) => {
    expect(await Promise.all([source.get(), source.get()])).toEqual([OF_THE_ROLE, OF_THE_ROLE]);
    expect(await source.get()).toEqual(OF_THE_ROLE);
    expect(showRequests(simulator.requests)).toEqual(["PUT /latest/api/token", `GET ${ROLES}`, `GET ${ROLES}demo-node-role`]);
  });
});

test.each([
  ["with a session token", { AWS_SESSION_TOKEN: "c" }, { sessionToken: "c" }],
  ["without", { AWS_SESSION_TOKEN: "" }, {}],
])("those of the environment come first, %s", async (_, more, expected) => {
  await withCredentials(
    {},
    async (source, { simulator }) => {
      expect([await source.get(), simulator.requests]).toEqual([{ accessKeyId: "a", secretAccessKey: "b", ...expected }, []]);
    },
    { AWS_ACCESS_KEY_ID: "a", AWS_SECRET_ACCESS_KEY: "b", ...more },
  );
});

test("half of the environment's are none", async () => {
  await withCredentials({}, async (source) => expect(await source.get()).toEqual(OF_THE_ROLE), { AWS_ACCESS_KEY_ID: "a" });
});

test.each([
  ["end within a minute", 59, 2],
  ["last longer", 120, 1],
])("credentials that %s are fetched so often: %#", async (_, seconds, expected) => {
  await withCredentials({ world: expiringIn(seconds) }, async (source, fixture) => {
    await source.get();
    const before = fetches(fixture);
    await source.get();
    expect(fetches(fixture) - before).toBe(expected - 1);
  });
});

test("forget() makes the next get() fetch again", async () => {
  await withCredentials({}, async (source, fixture) => {
    await source.get();
    source.forget();
    await source.get();
    expect(fetches(fixture)).toBe(2);
  });
});

test("credentials that come late are waited for, as long as there is an instance profile", async () => {
  const faults = [{ on: ROLES, kind: "status", status: 404, times: 150 }, { on: `${ROLES}demo-node-role`, kind: "status", status: 404, times: 100 }] as const;
  await withCredentials({ faults }, async (source, { clock }) => {
    expect(await source.get()).toEqual(OF_THE_ROLE);
    expect(clock.slept).toHaveLength(250);
  });
});

test("an instance profile that is attached a minute later is found", async () => {
  const world = { ...WORLD, role: undefined };
  await withCredentials({ world, faults: [] }, async (source, { simulator, clock }) => {
    const found = source.get();
    while (clock.slept.length < 60) await new Promise(setImmediate);
    simulator.setWorld(WORLD);
    expect(await found).toEqual(OF_THE_ROLE);
  });
});

test("an instance without an instance profile is given up after two minutes", async () => {
  await withCredentials({ world: { ...WORLD, role: undefined } }, async (source) => {
    await expect(source.get()).rejects.toMatchObject({
      code: "no-instance-profile",
      exitStatus: 77,
      message: "Cannot get the credentials of the instance's role from IMDS: the instance has no instance profile (124 tries in 120 s)",
      remedy:
        "Attach an instance profile whose role has the policy AmazonEKSWorkerNodePolicy: aws ec2 associate-iam-instance-profile --instance-id ID --iam-instance-profile Name=NAME.",
    });
  });
});

test.each([
  [
    "a role that EC2 cannot assume",
    '{"Code":"AssumeRoleUnauthorizedAccess","Message":"…"}',
    'access-denied: Cannot get the credentials of the instance\'s role from IMDS: EC2 cannot assume role "demo-node-role" (AssumeRoleUnauthorizedAccess) (124 tries in 120 s)',
  ],
  ["null fields", '{"Code":"Success","AccessKeyId":"A","SecretAccessKey":null,"Token":"t","Expiration":"2099-01-01T00:00:00Z"}', MALFORMED],
  ["an end that is no time", '{"Code":"Success","AccessKeyId":"A","SecretAccessKey":"s","Token":"t","Expiration":"soon"}', MALFORMED],
  ["text", "AKIASECRET", MALFORMED],
])("%s is told without a secret", async (_, body, message) => {
  await withCredentials({ faults: [{ on: `${ROLES}demo-node-role`, kind: "status", status: 200, body }] }, async (source) => {
    expect(await told(source.get())).toBe(message);
  });
});

test("a role's name that would lead to another path is no role", async () => {
  await withCredentials({ faults: [{ on: ROLES, kind: "status", status: 200, body: "../../user-data" }] }, async (source) => {
    await expect(source.get()).rejects.toMatchObject({ code: "remote-nonsense" });
  });
});
