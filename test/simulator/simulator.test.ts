import { afterEach, expect, test } from "vitest";
import { startSimulator } from "./simulator.ts";
import type { Simulator, SimulatorOptions } from "./simulator.ts";
import { WORLD } from "./world.ts";

let simulator: Simulator | undefined;
afterEach(async () => simulator?.close());

async function start(options: SimulatorOptions = {}): Promise<string> {
  simulator = await startSimulator(options);
  return simulator.environment["AWS_EC2_METADATA_SERVICE_ENDPOINT"] ?? "";
}

async function tokenOf(base: string): Promise<string> {
  const response = await fetch(`${base}/latest/api/token`, { method: "PUT", headers: { "x-aws-ec2-metadata-token-ttl-seconds": "60" } });
  return response.text();
}

async function get(base: string, path: string): Promise<string> {
  const response = await fetch(base + path, { headers: { "x-aws-ec2-metadata-token": await tokenOf(base) } });
  return `${response.status} ${await response.text()}`;
}

test.each([
  ["a TTL of none", "", 400],
  ["a TTL of 0", "0", 400],
  ["a TTL over six hours", "21601", 400],
  ["a TTL of six hours", "21600", 200],
])("the token PUT with %s", async (_, ttl, status) => {
  const base = await start();
  const response = await fetch(`${base}/latest/api/token`, { method: "PUT", headers: { "x-aws-ec2-metadata-token-ttl-seconds": ttl } });
  expect(response.status).toBe(status);
});

test.each([
  ["/latest/meta-data/mac", "200 02:01:23:45:67:89"],
  ["/latest/meta-data/network/interfaces/macs/", "200 02:01:23:45:67:89/"],
  ["/latest/meta-data/iam/security-credentials/", "200 demo-node-role"],
  ["/latest/meta-data/ipv6", "404 "],
  ["/latest/user-data", "404 "],
])("a value, a listing, an absence: %s", async (path, expected) => {
  expect(await get(await start(), path)).toBe(expected);
});

test("a GET without a token is answered 401", async () => {
  const response = await fetch(`${await start()}/latest/meta-data/mac`);
  expect(response.status).toBe(401);
});

test("a fault with times: 1 is met once", async () => {
  const base = await start({ faults: [{ on: "/latest/meta-data/*", kind: "status", status: 503, times: 1 }] });
  expect([await get(base, "/latest/meta-data/mac"), await get(base, "/latest/meta-data/mac")]).toEqual(["503 ", `200 ${WORLD.mac}`]);
});

test("an unsigned DescribeCluster is refused", async () => {
  const response = await fetch(`${await start()}/clusters/demo`);
  expect([response.status, response.headers.get("x-amzn-errortype")]).toEqual([403, "MissingAuthenticationToken:http://internal.amazon.com/coral/"]);
});
