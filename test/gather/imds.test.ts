import { expect, test, vi } from "vitest";
import { createImds } from "../../src/gather/imds.ts";
import type { Imds } from "../../src/gather/imds.ts";
import type { GatherSettings } from "../../src/gather/settings.ts";
import { showRequests } from "../simulator/log.ts";
import type { SimulatorOptions } from "../simulator/simulator.ts";
import { WORLD } from "../simulator/world.ts";
import type { Fixture } from "./fixture.ts";
import { told, withSimulator } from "./fixture.ts";

const MAC_PATH = "/latest/meta-data/mac";

async function withImds<T>(options: SimulatorOptions, use: (imds: Imds, fixture: Fixture) => Promise<T>, changes: Partial<GatherSettings> = {}): Promise<T> {
  return withSimulator(options, changes, async (fixture) => {
    const imds = createImds({ ...fixture.settings, deadlineAt: fixture.clock.now() + 60_000 });
    try {
      return await use(imds, fixture);
    } finally {
      await imds.close();
    }
  });
}

/** Accepts a MAC address. */
function mac(text: string): string | undefined {
  return /^[0-9a-f:]{17}$/.test(text) ? text : undefined;
}

test("all concurrent users share one token", async () => {
  await withImds({ latency: { imdsMs: 5 } }, async (imds, { simulator }) => {
    const [first, second] = await Promise.all([imds.get("meta-data/mac", mac), imds.get("meta-data/mac", mac)]);
    expect([first, second, showRequests(simulator.requests)]).toEqual([WORLD.mac, WORLD.mac, ["PUT /latest/api/token", `GET ${MAC_PATH}`, `GET ${MAC_PATH}`]]);
  });
});

test("all who wait for the token have a connection each, opened while it is on its way, and the one by which it came", async () => {
  await withImds({ latency: { imdsMs: 100 } }, async (imds, { simulator }) => {
    const all = Array.from({ length: 5 }, () => imds.get("meta-data/mac", mac));
    await vi.waitUntil(() => simulator.connections() === 5);
    expect(showRequests(simulator.requests)).toEqual(["PUT /latest/api/token"]);
    await Promise.all(all);
    expect(simulator.connections()).toBeLessThanOrEqual(6);
  });
});

test("there is a token, or it is known that there can be none", async () => {
  await withImds({}, async (imds, { simulator }) => {
    await imds.hasToken();
    expect(showRequests(simulator.requests)).toEqual(["PUT /latest/api/token"]);
  });
  await withImds({ faults: [{ on: "/latest/api/token", kind: "status", status: 403 }] }, async (imds) => {
    await imds.hasToken();
  });
});

test("a token that is no longer accepted is replaced, once for all", async () => {
  await withImds({}, async (imds, { simulator }) => {
    await imds.get("meta-data/mac", mac);
    simulator.forgetTokens();
    expect(await Promise.all([imds.get("meta-data/mac", mac), imds.get("meta-data/mac", mac)])).toEqual([WORLD.mac, WORLD.mac]);
    expect(simulator.requests.filter(({ method }) => method === "PUT")).toHaveLength(2);
  });
});

test("a new token that is not accepted either is the end", async () => {
  await withImds({ faults: [{ on: MAC_PATH, kind: "status", status: 401 }] }, async (imds, { simulator }) => {
    expect(await told(imds.get("meta-data/mac", mac))).toBe(
      'access-denied: Cannot read "meta-data/mac" from IMDS at http://SIMULATOR: it refuses the token that it gave a moment ago (401)',
    );
    expect(showRequests(simulator.requests)).toEqual(["PUT /latest/api/token", `GET ${MAC_PATH}`, "PUT /latest/api/token", `GET ${MAC_PATH}`]);
  });
});

test.each([
  [undefined, "21600"],
  [300, "300"],
])("the token's life is %s as set, else six hours", async (tokenTtlSeconds, expected) => {
  await withSimulator({}, {}, async ({ settings }) => {
    const ttls: unknown[] = [];
    const http = {
      request: ({ headers }: { headers?: Readonly<Record<string, string>> }) => {
        ttls.push(headers?.["x-aws-ec2-metadata-token-ttl-seconds"]);
        return Promise.resolve({ status: 200, headers: {}, body: Buffer.from("token") });
      },
      openAhead: () => undefined,
      rest: () => undefined,
      close: () => Promise.resolve(),
    };
    const imds = { ...settings.imds, ...(tokenTtlSeconds === undefined ? {} : { tokenTtlSeconds }) };
    await createImds({ ...settings, imds }, http).get("meta-data/x", (text) => text);
    expect(ttls[0]).toBe(expected);
  });
});

test("white space around a value is no part of it", async () => {
  await withImds({ faults: [{ on: MAC_PATH, kind: "status", status: 200, body: `\n${WORLD.mac} \n` }] }, async (imds) => {
    expect(await imds.get("meta-data/mac", mac)).toBe(WORLD.mac);
  });
});

test("an absent key is an answer, at once", async () => {
  await withImds({}, async (imds, { clock }) => {
    expect([await imds.get("meta-data/ipv6", mac), await imds.getBytes("user-data"), clock.slept]).toEqual([undefined, undefined, []]);
  });
});

test("user data is as it is, byte for byte", async () => {
  const userData = Buffer.from([0x1f, 0x8b, 0x00, 0xff, 0x0a]);
  await withImds({ world: { ...WORLD, userData } }, async (imds) => {
    expect(await imds.getBytes("user-data")).toEqual(userData);
  });
});

test.each([
  ["a page of HTML", { kind: "html" }],
  ["an empty answer", { kind: "empty" }],
  ["429", { kind: "status", status: 429 }],
  ["503", { kind: "status", status: 503 }],
  ["500 with a page of HTML", { kind: "status", status: 500, body: "<html></html>" }],
  ["another value", { kind: "status", status: 200, body: "null" }],
  ["a reset", { kind: "reset" }],
  ["half an answer", { kind: "truncated" }],
] as const)("%s, twice, for a key or for the token, does no harm", async (_, fault) => {
  const faults = [
    { on: "/latest/api/token", times: 2, ...fault },
    { on: MAC_PATH, times: 2, ...fault },
  ].filter(({ on, kind }) => !(on === "/latest/api/token" && kind === "status" && "body" in fault && fault.body === "null"));
  await withImds({ faults }, async (imds, { clock }) => {
    expect([await imds.get("meta-data/mac", mac), clock.slept.length]).toEqual([WORLD.mac, faults.length * 2]);
  });
});

test.each<[string, Parameters<typeof withImds>[0], string]>([
  ["pages of HTML", { faults: [{ on: MAC_PATH, kind: "html" }] }, 'remote-nonsense: Cannot read "meta-data/mac" from IMDS at http://SIMULATOR: the answer is a page of HTML (12 tries in 10 s)'],
  ["another value", { faults: [{ on: MAC_PATH, kind: "status", status: 200, body: "null" }] }, 'remote-nonsense: Cannot read "meta-data/mac" from IMDS at http://SIMULATOR: "null" cannot be the value (12 tries in 10 s)'],
  ["nothing", { faults: [{ on: MAC_PATH, kind: "empty" }] }, 'unreachable: Cannot read "meta-data/mac" from IMDS at http://SIMULATOR: the answer is empty (64 tries in 60 s)'],
  ["429", { faults: [{ on: MAC_PATH, kind: "status", status: 429 }] }, 'throttled: Cannot read "meta-data/mac" from IMDS at http://SIMULATOR: it is throttled (429) (64 tries in 60 s)'],
  ["503", { faults: [{ on: MAC_PATH, kind: "status", status: 503 }] }, 'unreachable: Cannot read "meta-data/mac" from IMDS at http://SIMULATOR: it fails with status 503 (64 tries in 60 s)'],
  ["302", { faults: [{ on: MAC_PATH, kind: "status", status: 302 }] }, 'remote-nonsense: Cannot read "meta-data/mac" from IMDS at http://SIMULATOR: it answers with status 302'],
  ["403, turned off", { faults: [{ on: "/latest/api/token", kind: "status", status: 403 }] }, "access-denied: Cannot get a token from IMDS at http://SIMULATOR: it refuses (403), as it does when it is turned off"],
  ["404 for a token", { faults: [{ on: "/latest/api/token", kind: "status", status: 404 }] }, "remote-nonsense: Cannot get a token from IMDS at http://SIMULATOR: it answers with status 404"],
  ["HTML for a token", { faults: [{ on: "/latest/api/token", kind: "html" }] }, "remote-nonsense: Cannot get a token from IMDS at http://SIMULATOR: the answer is a page of HTML (12 tries in 10 s)"],
])("an IMDS that keeps answering %s is told so", async (_, options, message) => {
  await withImds(options, async (imds) => {
    expect(await told(imds.get("meta-data/mac", mac))).toBe(message);
  });
});

test("an IMDS that refuses connections is tried until the deadline", async () => {
  await withImds(
    {},
    async (imds, { clock }) => {
      const error: unknown = await imds.get("meta-data/mac", mac).catch((thrown: unknown) => thrown);
      expect(error).toMatchObject({
        code: "unreachable",
        exitStatus: 75,
        message: "Cannot get a token from IMDS at http://127.0.0.1:1: connection refused (64 tries in 60 s)",
        remedy:
          "Check that the instance's metadata options have HttpEndpoint=enabled, that nothing here blocks the way to it, and in a container that HttpPutResponseHopLimit is at least 2.",
      });
      expect(clock.slept.slice(0, 7)).toEqual([50, 100, 200, 400, 800, 1000, 1000]);
    },
    { imds: { endpoint: "http://127.0.0.1:1" } },
  );
});

test("IMDS_RETRIES and IMDS_RETRY_DELAY_SECONDS replace the deadline's patience", async () => {
  await withImds(
    {},
    async (imds, { clock }) => {
      expect(await told(imds.get("meta-data/mac", mac))).toBe("unreachable: Cannot get a token from IMDS at http://SIMULATOR: connection refused (4 tries in 15 s)");
      expect(clock.slept).toEqual([5_000, 5_000, 5_000]);
    },
    { imds: { endpoint: "http://127.0.0.1:1", retries: 3, retryDelayMs: 5_000 } },
  );
});

test("each request and each retry is told, and no token", async () => {
  await withImds({ faults: [{ on: MAC_PATH, kind: "status", status: 503, times: 1 }] }, async (imds, { events }) => {
    await imds.get("meta-data/mac", mac);
    const timeless = events.map((event) => ({ ...event, ...("startMs" in event ? { startMs: 0, durationMs: 0 } : {}) }));
    const request = { kind: "request", service: "imds", startMs: 0, durationMs: 0 };
    expect(timeless).toEqual([
      { ...request, target: "/latest/api/token", attempt: 1, status: 200 },
      { ...request, target: MAC_PATH, attempt: 1, status: 503 },
      { kind: "retry", service: "imds", target: MAC_PATH, failures: 1, delayMs: 50, reason: "it fails with status 503" },
      { ...request, target: MAC_PATH, attempt: 2, status: 200 },
    ]);
  });
});

test("close() ends a wait for the token", async () => {
  await withImds({ faults: [{ on: "/latest/api/token", kind: "hang" }] }, async (imds) => {
    const waiting = told(imds.get("meta-data/mac", mac));
    await new Promise(setImmediate);
    await imds.close();
    expect(await waiting).toBe("Error: IMDS is no longer needed");
  });
});
