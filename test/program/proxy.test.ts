import { readFileSync } from "node:fs";
import { afterEach, beforeEach, expect, test } from "vitest";
import { type Proxy, startProxy } from "../simulator/proxy.ts";
import { TLS } from "../simulator/server-tls.ts";
import { type Simulator, startSimulator } from "../simulator/simulator.ts";
import { CAN_CHROOT, makeNodeRoot, type NodeRoot } from "./node-root.ts";

let simulator: Simulator;
let proxy: Proxy;
let node: NodeRoot;

beforeEach(async () => {
  [simulator, proxy] = await Promise.all([startSimulator({ tls: TLS }), startProxy()]);
  node = makeNodeRoot();
  node.write("/ca.crt", readFileSync("test/simulator/tls/ca.crt", "utf8"));
});
afterEach(async () => {
  await simulator.close();
  proxy.close();
  node.remove();
});

test.skipIf(!CAN_CHROOT)("the executable asks EKS and EC2 through the tunnels of HTTPS_PROXY, and IMDS itself (skipped without root: it changes the root directory)", async () => {
  const environment = { ...simulator.environment, AWS_CA_BUNDLE: "/ca.crt", HTTPS_PROXY: proxy.url, NO_PROXY: "" };
  expect(await node.run(["demo", "--wait", "none"], { environment })).toMatchObject({ status: 0 });
  const hostOf = (name: string): string => new URL(simulator.environment[name] ?? "").host;
  expect([...proxy.asked].sort()).toEqual(["AWS_ENDPOINT_URL_EC2", "AWS_ENDPOINT_URL_EKS"].map((name) => `CONNECT ${hostOf(name)}`).sort());
  expect(simulator.requests.map(({ target }) => target)).toEqual(expect.arrayContaining(["DescribeInstances", "/latest/meta-data/mac"]));
});
