import { createServer, request as forward } from "node:http";
import type { AddressInfo } from "node:net";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { type FactsOfRun, openFacts } from "../../src/cli/facts-of-run.ts";
import { parseCommandLine } from "../../src/cli/flags.ts";
import { configFromCommandLine } from "../../src/config/flags-to-config.ts";
import { told } from "../gather/fixture.ts";
import { withTree } from "../gather/tree.ts";
import { depthOf, showRequests } from "../simulator/log.ts";
import { type Simulator, startSimulator } from "../simulator/simulator.ts";
import { WORLD } from "../simulator/world.ts";
import { commandWorld } from "./command-world.ts";

const PROGRAMS = {
  "/usr/bin/kubelet": { program: "echo Kubernetes v1.33.5" },
  "/usr/bin/containerd": { program: "echo containerd github.com/containerd/containerd/v2 2.1.4 0123456" },
  "/proc/meminfo": "MemTotal: 7934567 kB\n",
};

let simulator: Simulator;
const abort = { controller: new AbortController() };

beforeEach(async () => {
  simulator = await startSimulator({ world: { ...WORLD, userData: Buffer.from([0x1f, 0x8b, 0xff]) }, latency: { imdsMs: 100 } });
  abort.controller = new AbortController();
});
afterEach(() => simulator.close());

async function withFacts<T>(words: readonly string[], use: (asked: FactsOfRun, root: string) => Promise<T>): Promise<T> {
  return withTree(PROGRAMS, async (root) => {
    const command = await parseCommandLine([...words, "--root", root], simulator.environment);
    if (command.kind !== "bootstrap") throw new Error(`expected bootstrap, got ${command.kind}`);
    const world = { ...commandWorld(simulator.environment).world, record: () => undefined, signal: abort.controller.signal };
    const asked = openFacts(command.flags, { world, addNote: () => undefined, locked: undefined });
    try {
      return await use(asked, root);
    } finally {
      await asked.close();
    }
  });
}

/** A proxy for plain HTTP, and what it was asked for. */
async function startProxy(): Promise<{ readonly url: string; readonly asked: string[]; readonly close: () => void }> {
  const asked: string[] = [];
  const server = createServer((request, response) => {
    asked.push(`${request.method ?? ""} ${request.url ?? ""}`);
    request.pipe(forward(request.url ?? "", { method: request.method, headers: request.headers }, (answer) => answer.pipe(response.writeHead(answer.statusCode ?? 502, answer.headers))));
  });
  await new Promise<void>((done) => server.listen(0, "127.0.0.1", done));
  return { url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`, asked, close: () => server.close() };
}

describe("the environment of all services", () => {
  it("is this one's, too, from its first call of AWS on; IMDS is asked without a proxy", async () => {
    const proxy = await startProxy();
    const text = (value: string): { readonly value: string; readonly source: string } => ({ value, source: "user-data" });
    try {
      await withFacts(["demo"], async ({ askAhead, gather }) => {
        askAhead();
        const { config } = configFromCommandLine({ cluster: "demo", options: { "apiserver-endpoint": "https://a.example", "service-ipv4-cidr": "172.20.0.0/16" }, environment: {}, nodeName: undefined, reserveFor: undefined, authenticator: undefined });
        const environment = { default: { http_proxy: text(proxy.url), no_proxy: text(""), NO_PROXY: text("") } };
        await gather({ ...config, cluster: { ...config.cluster, certificateAuthority: text("") }, instance: { environment } }).facts;
      });
    } finally {
      proxy.close();
    }
    expect(proxy.asked).toEqual([`POST ${simulator.environment["AWS_ENDPOINT_URL_EC2"] ?? ""}/`]);
    expect(simulator.requests.map(({ target }) => target)).toContain("DescribeInstances");
  });
});

describe("user data", () => {
  it("is the bytes as they are", async () => {
    expect(await withFacts([], ({ userData }) => userData())).toEqual(Buffer.from([0x1f, 0x8b, 0xff]));
  });

  it("is undefined where there is none", async () => {
    simulator.setWorld({ ...WORLD, userData: undefined });
    expect(await withFacts([], ({ userData }) => userData())).toBeUndefined();
  });

  it("is asked beside what the command line shows to be needed, with one token, and nothing is asked twice", async () => {
    await withFacts([], async ({ userData, askAhead, gather }) => {
      askAhead();
      await userData();
      const { config } = configFromCommandLine({ cluster: "demo", options: { "apiserver-endpoint": "https://a.example", "service-ipv4-cidr": "172.20.0.0/16" }, environment: {}, nodeName: "instance-id", reserveFor: undefined, authenticator: undefined });
      const { facts: answers } = gather({ ...config, cluster: { ...config.cluster, certificateAuthority: { value: "", source: "test" } } });
      const facts = await answers;
      expect(facts.instance?.id).toBe(WORLD.instanceId);
    });
    const requests = simulator.requests.filter(({ method }) => method !== "PUT");
    expect(showRequests(requests).toSorted()).toEqual([
      "GET /latest/dynamic/instance-identity/document",
      "GET /latest/meta-data/mac",
      "GET /latest/meta-data/services/domain",
      "GET /latest/user-data",
    ]);
    expect(depthOf(simulator.requests)).toBe(2);
  });

  it("is no longer waited for after a signal, which is why", async () => {
    const reason = new Error("SIGTERM");
    const ended = withFacts(["demo"], async ({ userData }) => {
      const answer = userData();
      abort.controller.abort(reason);
      return answer;
    });
    expect(await told(ended)).toBe("Error: SIGTERM");
  });
});
