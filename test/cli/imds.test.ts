import { createServer } from "node:http";
import { gzipSync } from "node:zlib";
import { describe, expect, it } from "vitest";
import { parseCommandLine } from "../../src/cli/flags.ts";
import { printImds } from "../../src/cli/imds.ts";
import { told } from "../gather/fixture.ts";
import { showRequests } from "../simulator/log.ts";
import { startSimulator, type Simulator, type SimulatorOptions } from "../simulator/simulator.ts";
import { WORLD } from "../simulator/world.ts";
import { commandWorld } from "./command-world.ts";

type Called = { readonly printed: Buffer; readonly error: string | undefined; readonly logged: readonly string[]; readonly requests: readonly string[] };

/** As the program imds is called: words, and variables that name this IMDS. */
async function imds(argv: readonly string[], options: SimulatorOptions = {}, variables: Record<string, string> = {}): Promise<Called> {
  const simulator = await startSimulator(options);
  try {
    return await call(argv, simulator, { IMDS_ENDPOINT: hostOf(simulator), IMDS_RETRY_DELAY_SECONDS: "0", ...variables });
  } finally {
    await simulator.close();
  }
}

async function call(argv: readonly string[], simulator: Simulator, environment: Record<string, string>): Promise<Called> {
  const command = await parseCommandLine(["imds", ...argv], environment);
  if (command.kind !== "imds") throw new Error(`expected imds, got ${command.kind}`);
  const world = commandWorld(environment, command.flags.logLevel);
  const run = printImds(command.flags, world.world);
  const error = await run.then(
    () => undefined,
    async () => told(run),
  );
  return { printed: world.printed(), error, logged: world.logged(), requests: showRequests(simulator.requests) };
}

function hostOf({ environment }: Simulator): string {
  return new URL(environment["AWS_EC2_METADATA_SERVICE_ENDPOINT"] ?? "").host;
}

describe("a value", () => {
  it.each([
    ["latest/meta-data/instance-id"],
    ["/latest/meta-data/instance-id"],
    ["meta-data/instance-id"],
    ["/meta-data/instance-id"],
    ["2021-03-23/meta-data/instance-id"],
  ])("is found at %s, and printed as a line", async (path) => {
    const { printed, error, logged, requests } = await imds([path]);
    expect([printed.toString(), error, logged]).toEqual([`${WORLD.instanceId}\n`, undefined, []]);
    expect(requests).toEqual(["PUT /latest/api/token", "GET /latest/meta-data/instance-id"]);
  });

  it.each<[string, string | Buffer, string | Buffer]>([
    ["is printed as it is, without what printf would make of it", "100% \\n %s\n", "100% \\n %s\n"],
    ["has one line break at its end", "#!/bin/sh\ntrue\n\n\n", "#!/bin/sh\ntrue\n"],
    ["that is no text is printed as it is", gzipSync("x"), gzipSync("x")],
  ])("%s", async (_, userData, expected) => {
    const { printed } = await imds(["user-data"], { world: { ...WORLD, userData } });
    expect(printed).toEqual(Buffer.from(expected));
  });

  it("is a list where the path ends in a slash", async () => {
    expect((await imds(["latest/meta-data/placement/"])).printed.toString()).toBe("availability-zone\nregion\n");
  });

  it("is asked for again when IMDS fails for a while", async () => {
    const { printed, logged } = await imds(["meta-data/mac"], { faults: [{ on: "/latest/meta-data/mac", kind: "status", status: 503, times: 2 }] });
    expect([printed.toString(), logged.length]).toEqual([`${WORLD.mac}\n`, 2]);
  });

  it("that is not there is an error, without a second try", async () => {
    const { printed, error, requests } = await imds(["meta-data/ipv6"]);
    expect([printed.toString(), error]).toEqual(["", 'source-unreadable: IMDS at http://SIMULATOR has nothing at "meta-data/ipv6" (404)']);
    expect(requests).toEqual(["PUT /latest/api/token", "GET /latest/meta-data/ipv6"]);
  });
});

describe("the token", () => {
  it("is printed by its name, which is no path", async () => {
    const simulator = await startSimulator();
    const environment = { IMDS_ENDPOINT: hostOf(simulator) };
    const token = (await call(["token"], simulator, environment)).printed.toString();
    expect(token).toMatch(/^[\w+/=-]{20,}\n$/);
    // With it no other is asked for.
    const { printed, requests } = await call(["meta-data/mac"], simulator, { ...environment, IMDS_TOKEN: token.trim() });
    expect([printed.toString(), requests]).toEqual([`${WORLD.mac}\n`, ["PUT /latest/api/token", "GET /latest/meta-data/mac"]]);
    await simulator.close();
  });

  it("of IMDS_TOKEN is replaced when it is no longer good", async () => {
    const { printed, requests } = await imds(["meta-data/mac"], {}, { IMDS_TOKEN: "AQAEANoldOne==" });
    expect([printed.toString(), requests]).toEqual([`${WORLD.mac}\n`, ["GET /latest/meta-data/mac", "PUT /latest/api/token", "GET /latest/meta-data/mac"]]);
  });

  it.each([
    [{}, "900"],
    [{ IMDS_TOKEN_TTL_SECONDS: "60" }, "60"],
  ])("lives as long as %j says: %s s", async (variables, seconds) => {
    let asked: unknown;
    const server = createServer((request, response) => {
      asked = request.headers["x-aws-ec2-metadata-token-ttl-seconds"];
      response.end("AQAEANtoken==");
    });
    await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
    const address = server.address();
    const IMDS_ENDPOINT = `127.0.0.1:${typeof address === "object" ? address?.port : ""}`;
    const command = await parseCommandLine(["imds", "token"], { IMDS_ENDPOINT, ...variables });
    if (command.kind !== "imds") throw new Error(command.kind);
    expect(await printImds(command.flags, commandWorld().world)).toBe(0);
    server.close();
    expect(asked).toBe(seconds);
  });
});

describe("the variables", () => {
  it("IMDS_RETRIES limits the tries", async () => {
    const faults = [{ on: "/latest/meta-data/mac", kind: "status", status: 503 }] as const;
    const { error, requests } = await imds(["meta-data/mac"], { faults }, { IMDS_RETRIES: "2" });
    expect(error).toMatch(/^unreachable: Cannot read "meta-data\/mac" from IMDS at http:\/\/SIMULATOR: it fails with status 503 \(3 tries in \d+ s\)$/);
    expect(requests).toHaveLength(4);
  });

  it("IMDS_DEBUG logs where it asks, and each request", async () => {
    const { logged } = await imds(["meta-data/mac"], {}, { IMDS_DEBUG: "true" });
    expect(logged.map((line) => line.replace(/127\.0\.0\.1:\d+/, "SIMULATOR"))).toEqual(["debug asking IMDS at http://SIMULATOR", "debug request", "debug request"]);
  });

  it("AWS_EC2_METADATA_SERVICE_ENDPOINT holds where IMDS_ENDPOINT is not set", async () => {
    const command = await parseCommandLine(["imds", "token"], { AWS_EC2_METADATA_SERVICE_ENDPOINT: "http://[fd00:ec2::254]/" });
    expect(command).toEqual({
      kind: "imds",
      flags: { path: "token", logLevel: "info", settings: { endpoint: "http://[fd00:ec2::254]", tokenTtlSeconds: 900, retries: 10, retryDelayMs: 1000 } },
    });
  });

  it.each<[readonly string[], Record<string, string>, string]>([
    [[], {}, "The path is missing"],
    [[""], {}, "The path is missing"],
    [["a", "b"], {}, '"b" is one word too many: the path is "a" already'],
    [["a"], { IMDS_RETRIES: "many" }, 'Cannot use "many" as IMDS_RETRIES: expected a whole number'],
    [["a"], { IMDS_RETRY_DELAY_SECONDS: "0.5" }, 'Cannot use "0.5" as IMDS_RETRY_DELAY_SECONDS: expected a whole number'],
    [["a"], { IMDS_TOKEN: "s3cr3t\r\nx: y" }, "Cannot use the token in IMDS_TOKEN: it is none of IMDS's"],
  ])("%j with %j: %s", async (argv, environment, message) => {
    await expect(parseCommandLine(["imds", ...argv], environment)).rejects.toThrow(expect.objectContaining({ code: "usage", message }) as Error);
  });
});
