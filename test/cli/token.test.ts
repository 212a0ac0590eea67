import { Ajv } from "ajv";
import { describe, expect, it } from "vitest";
import { parseCommandLine } from "../../src/cli/flags.ts";
import type { TokenFlags } from "../../src/cli/token-flags.ts";
import { printToken } from "../../src/cli/token.ts";
import { presignCallerIdentity } from "../../src/gather/presign.ts";
import { fakeClock, told } from "../gather/fixture.ts";
import { startSimulator, type SimulatorOptions } from "../simulator/simulator.ts";
import { WORLD } from "../simulator/world.ts";
import { commandWorld, type CommandWorld } from "./command-world.ts";

const NOW = new Date("2026-03-04T05:06:07.890Z");
const FLAGS: TokenFlags = { cluster: "demo", region: "us-west-2", logLevel: "info" };
const KEYS = { AWS_ACCESS_KEY_ID: "AKIDEXAMPLE", AWS_SECRET_ACCESS_KEY: "wJalrXUtnFEMI/K7MDENG+bPxRfiCYEXAMPLEKEY" };

type ExecCredential = { readonly apiVersion: string; readonly kind: string; readonly spec: unknown; readonly status: { readonly expirationTimestamp: string; readonly token: string } };

async function tokenIn(world: CommandWorld, flags: TokenFlags = FLAGS): Promise<ExecCredential> {
  expect(await printToken(flags, world.world, { now: () => NOW, clock: fakeClock() })).toBe(0);
  return JSON.parse(world.printed().toString()) as ExecCredential;
}

function urlIn({ status }: ExecCredential): string {
  return Buffer.from(status.token.replace(/^k8s-aws-v1\./, ""), "base64url").toString();
}

/** What client-go takes of an ExecCredential in both versions; in v1 its spec must be there. */
const SCHEMA = {
  type: "object",
  required: ["apiVersion", "kind", "spec", "status"],
  additionalProperties: false,
  properties: {
    apiVersion: { enum: ["client.authentication.k8s.io/v1", "client.authentication.k8s.io/v1beta1"] },
    kind: { const: "ExecCredential" },
    spec: { type: "object" },
    status: {
      type: "object",
      required: ["token", "expirationTimestamp"],
      additionalProperties: false,
      properties: {
        token: { type: "string", pattern: "^k8s-aws-v1\\.[A-Za-z0-9_-]+$", maxLength: 4096 },
        expirationTimestamp: { type: "string", pattern: "^\\d{4}-\\d\\d-\\d\\dT\\d\\d:\\d\\d:\\d\\dZ$" },
      },
    },
  },
};

describe("the token", () => {
  it("is the presigned URL in base64 without padding, for fourteen minutes, and one line", async () => {
    const world = commandWorld(KEYS);
    const answer = await tokenIn(world);
    const credentials = { accessKeyId: KEYS.AWS_ACCESS_KEY_ID, secretAccessKey: KEYS.AWS_SECRET_ACCESS_KEY };
    const url = await presignCallerIdentity({ cluster: "demo", region: "us-west-2", host: "sts.us-west-2.amazonaws.com", credentials, now: NOW });
    expect(answer).toEqual({
      kind: "ExecCredential",
      apiVersion: "client.authentication.k8s.io/v1beta1",
      spec: {},
      status: { expirationTimestamp: "2026-03-04T05:20:07Z", token: `k8s-aws-v1.${Buffer.from(url).toString("base64url")}` },
    });
    expect(world.printed().toString()).toMatch(/^[^\n]+\n$/);
    expect(world.logged()).toEqual([]);
  });

  it.each(["", "x", "xx", "a role's, which may be as long as this".repeat(40)])("is what client-go and the control plane take, with session token %j", async (sessionToken) => {
    const answer = await tokenIn(commandWorld({ ...KEYS, AWS_SESSION_TOKEN: sessionToken }));
    const validate = new Ajv({ allErrors: true }).compile(SCHEMA);
    expect([validate(answer), validate.errors]).toEqual([true, null]);
  });

  it.each([
    ["us-west-2", "sts.us-west-2.amazonaws.com"],
    ["cn-north-1", "sts.cn-north-1.amazonaws.com.cn"],
    ["us-gov-west-1", "sts.us-gov-west-1.amazonaws.com"],
    ["us-iso-east-1", "sts.us-iso-east-1.c2s.ic.gov"],
    ["eusc-de-east-1", "sts.eusc-de-east-1.amazonaws.eu"],
    ["xy-new-1", "sts.xy-new-1.amazonaws.com"],
  ])("in %s is of %s, whatever endpoints the environment asks for", async (region, host) => {
    const environment = { ...KEYS, AWS_USE_FIPS_ENDPOINT: "true", AWS_USE_DUALSTACK_ENDPOINT: "true", AWS_ENDPOINT_URL: "http://localhost:1", AWS_STS_REGIONAL_ENDPOINTS: "legacy" };
    expect(new URL(urlIn(await tokenIn(commandWorld(environment), { ...FLAGS, region }))).host).toBe(host);
  });
});

describe("the version of the answer", () => {
  const asks = (apiVersion: unknown): string => JSON.stringify({ apiVersion, kind: "ExecCredential", spec: { interactive: true } });
  const UNKNOWN = "warn KUBERNETES_EXEC_INFO asks for no version of client.authentication.k8s.io that is known here: the answer is in v1beta1";

  it.each<[string, string | undefined, string, readonly string[]]>([
    ["is v1beta1 without a wish", undefined, "v1beta1", []],
    ["with an empty one", "", "v1beta1", []],
    ["is v1 if wished", asks("client.authentication.k8s.io/v1"), "v1", []],
    ["is v1beta1 if wished", asks("client.authentication.k8s.io/v1beta1"), "v1beta1", []],
    ["is v1beta1 for a wish of the future", asks("client.authentication.k8s.io/v2"), "v1beta1", [UNKNOWN]],
    ["for a wish of another kind", asks(1), "v1beta1", [UNKNOWN]],
    ["for what is no JSON", "{", "v1beta1", [UNKNOWN]],
    ["for what is no object", "[]", "v1beta1", [UNKNOWN]],
  ])("%s", async (_, wish, version, logged) => {
    const world = commandWorld({ ...KEYS, ...(wish === undefined ? {} : { KUBERNETES_EXEC_INFO: wish }) });
    expect((await tokenIn(world)).apiVersion).toBe(`client.authentication.k8s.io/${version}`);
    expect(world.logged()).toEqual(logged);
  });

  it("is refused when it is v1alpha1", async () => {
    const world = commandWorld({ ...KEYS, KUBERNETES_EXEC_INFO: asks("client.authentication.k8s.io/v1alpha1") });
    expect(await told(printToken(FLAGS, world.world))).toBe("usage: Cannot answer in client.authentication.k8s.io/v1alpha1: kubelet and kubectl have it no more since Kubernetes 1.24");
    expect(world.printed().toString()).toBe("");
  });
});

describe("the credentials", () => {
  async function withImds<T>(options: SimulatorOptions, use: (world: CommandWorld) => Promise<T>): Promise<T> {
    const simulator = await startSimulator(options);
    return use(commandWorld(simulator.environment)).finally(() => simulator.close());
  }

  it("are the role's of the instance, when the environment has none", async () => {
    const answer = await withImds({}, tokenIn);
    const query = new URL(urlIn(answer)).searchParams;
    expect([query.get("X-Amz-Credential"), query.get("X-Amz-Security-Token")]).toEqual(["ASIASIMULATED0000001/20260304/us-west-2/sts/aws4_request", WORLD.credentials.token]);
  });

  it("end the token when they end before it", async () => {
    const expiration = new Date(Date.now() + 300_000).toISOString();
    const world = { ...WORLD, credentials: { ...WORLD.credentials, expiration } };
    const answer = await withImds({ world }, async (simulated) => {
      expect(await printToken(FLAGS, simulated.world)).toBe(0);
      return JSON.parse(simulated.printed().toString()) as ExecCredential;
    });
    expect(answer.status.expirationTimestamp).toBe(expiration.replace(/\.\d+/, ""));
  });

  it("are in no error, nor what they came in", async () => {
    const world = { ...WORLD, role: "demo-node-role", credentials: { ...WORLD.credentials, expiration: "soon" } };
    const { error, logged } = await withImds({ world }, async (simulated) => ({ error: await told(printToken(FLAGS, simulated.world, { now: () => NOW, clock: fakeClock() })), logged: simulated.logged() }));
    expect(error).toMatch(/^remote-nonsense: Cannot read "meta-data\/iam\/security-credentials\/demo-node-role" from IMDS at http:\/\/SIMULATOR: the answer is malformed \(\d+ tries in \d+ s\)$/);
    for (const secret of [WORLD.credentials.secretAccessKey, WORLD.credentials.token]) expect(error + logged.join("\n")).not.toContain(secret);
  });
});

describe("the command line", () => {
  it.each<[readonly string[], Record<string, string>, unknown]>([
    [["--cluster", "demo", "--region", "us-west-2"], {}, FLAGS],
    [["--region=us-west-2", "--cluster=demo", "--log-level", "debug"], { AWS_REGION: "eu-west-1" }, { ...FLAGS, logLevel: "debug" }],
    [["--cluster", "demo"], { AWS_REGION: "us-west-2", AWS_DEFAULT_REGION: "eu-west-1" }, FLAGS],
    [["--cluster", "demo"], { AWS_DEFAULT_REGION: "us-west-2" }, FLAGS],
  ])("%j with %j", async (argv, environment, flags) => {
    expect(await parseCommandLine(["token", ...argv], environment)).toEqual({ kind: "token", flags });
  });

  it.each<[readonly string[], Record<string, string>, string]>([
    [[], {}, "The cluster is missing"],
    [["--cluster", ""], {}, "The cluster is missing"],
    [["--cluster", "demo"], {}, "The region is missing"],
    [["demo"], {}, '"demo" is one word too many: token takes none'],
    [["--cluster", "a b"], {}, 'Cannot use "a b" as --cluster: expected a name without spaces'],
    [["--cluster", "a\nx-injected: b"], {}, 'Cannot use "a\nx-injected: b" as --cluster: expected a name without spaces'],
    [["--cluster", "demo", "--region", "evil.example/"], {}, 'Cannot use "evil.example/" as --region: expected a region such as us-west-2'],
    [["--cluster", "demo"], { AWS_REGION: "uswest2" }, 'Cannot use "uswest2" as AWS_REGION: expected a region such as us-west-2'],
    [["--clutser", "demo"], {}, "There is no option --clutser; did you mean --cluster?"],
    [["--cluster", "demo", "--dry-run"], {}, "--dry-run is no option of token"],
  ])("%j with %j: %s", async (argv, environment, message) => {
    await expect(parseCommandLine(["token", ...argv], environment)).rejects.toThrow(expect.objectContaining({ code: "usage", message }) as Error);
  });
});
