import { createServer, request as forward } from "node:http";
import type { AddressInfo } from "node:net";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { readConfigSources } from "../../src/cli/config-sources.ts";
import { type FactsOfRun, openFacts } from "../../src/cli/facts-of-run.ts";
import type { BootstrapFlags } from "../../src/cli/bootstrap-flags.ts";
import { parseCommandLine } from "../../src/cli/flags.ts";
import { configFromCommandLine } from "../../src/config/flags-to-config.ts";
import { told } from "../gather/fixture.ts";
import { withTree } from "../gather/tree.ts";
import { depthOf, showRequests } from "../simulator/log.ts";
import { type Simulator, startSimulator } from "../simulator/simulator.ts";
import { CLUSTER_CA_PEM, USER_DATA, WORLD } from "../simulator/world.ts";
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

async function withFacts<T>(words: readonly string[], use: (asked: FactsOfRun, flags: BootstrapFlags) => Promise<T>): Promise<T> {
  return withTree(PROGRAMS, async (root) => {
    const command = await parseCommandLine([...words, "--root", root], simulator.environment);
    if (command.kind !== "bootstrap") throw new Error(`expected bootstrap, got ${command.kind}`);
    const world = { ...commandWorld(simulator.environment).world, record: () => undefined, signal: abort.controller.signal };
    // As in a dry run, whose look at the host waits for nothing else.
    const spare = Promise.withResolvers<void>();
    const asked = openFacts(command.flags, { world, addNote: () => undefined, locked: spare.promise, onTimeToSpare: spare.resolve });
    try {
      return await use(asked, command.flags);
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
        const { config } = configFromCommandLine({ cluster: "demo", options: { "apiserver-endpoint": "https://a.example", "service-ipv4-cidr": "172.20.0.0/16" }, environment: {}, nodeName: undefined, nodeNameSource: undefined, reserveFor: undefined, authenticator: undefined });
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

describe("--node-name-source imds-if-canonical", () => {
  const OPTION = ["--node-name-source", "imds-if-canonical"];
  const GIVEN = ["--apiserver-endpoint", "https://a.example", "--b64-cluster-ca", Buffer.from(CLUSTER_CA_PEM).toString("base64"), "--service-ipv4-cidr", "172.20.0.0/16"];
  const elsewhere = { ...WORLD, localHostname: "ip-10-0-1-23.corp.example" };

  /** What is asked of AWS, and for credentials, in the order of arrival; and the facts. */
  async function gathered(words: readonly string[]) {
    const facts = await withFacts(["demo", ...words], ({ askAhead, gather }, flags) => {
      askAhead();
      return gather(configFromCommandLine(flags).config).facts;
    });
    const asked = simulator.requests.map(({ target }) => target).filter((target) => target.startsWith("Describe") || target.includes("security-credentials"));
    return { asked: asked.map((target) => target.replace(/.*security-credentials.*/, "credentials")), facts };
  }

  it("EC2 is not asked, and no credentials are fetched, where IMDS's name is EC2's by itself", async () => {
    const { asked, facts } = await gathered([...GIVEN, ...OPTION]);
    expect([asked, facts.localHostname, facts.privateDnsName]).toEqual([[], { value: WORLD.privateDnsName }, undefined]);
  });

  it("EC2 is not asked where it is that of the id", async () => {
    const name = `${WORLD.instanceId}.us-west-2.compute.internal`;
    simulator.setWorld({ ...WORLD, localHostname: name });
    const { asked, facts } = await gathered([...GIVEN, ...OPTION]);
    expect([asked, facts.localHostname]).toEqual([[], { value: name }]);
  });

  it("EC2 is asked once where it is another", async () => {
    simulator.setWorld(elsewhere);
    const { asked, facts } = await gathered([...GIVEN, ...OPTION]);
    expect([asked, facts.localHostname, facts.privateDnsName]).toEqual([["credentials", "credentials", "DescribeInstances"], { value: elsewhere.localHostname }, WORLD.privateDnsName]);
  });

  it("EKS is asked all the same, where it must be", async () => {
    expect((await gathered(OPTION)).asked).toEqual(["credentials", "credentials", "DescribeCluster"]);
  });

  it("EC2 is asked beside EKS where it turns out to be needed, and the host, which waits for both, is looked at", async () => {
    simulator.setWorld(elsewhere);
    const { asked, facts } = await gathered(OPTION);
    expect(asked.toSorted()).toEqual(["DescribeCluster", "DescribeInstances", "credentials", "credentials"]);
    expect([facts.privateDnsName, facts.host?.memoryMiB]).toEqual([WORLD.privateDnsName, 7748]);
  });

  it("IMDS's name is asked for beside the rest: the chain of requests gets no longer", async () => {
    await gathered([...GIVEN, ...OPTION]);
    expect(showRequests(simulator.requests.filter(({ method }) => method !== "PUT")).toSorted()).toEqual([
      "GET /latest/dynamic/instance-identity/document",
      "GET /latest/meta-data/local-hostname",
      "GET /latest/meta-data/mac",
      "GET /latest/meta-data/services/domain",
    ]);
    expect(depthOf(simulator.requests)).toBe(2);
  });

  it("without it, IMDS is not asked for the name", async () => {
    const { asked, facts } = await gathered(GIVEN);
    expect([asked, facts.localHostname]).toEqual([["credentials", "credentials", "DescribeInstances"], undefined]);
    expect(simulator.requests.map(({ target }) => target)).not.toContain("/latest/meta-data/local-hostname");
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
      const { config } = configFromCommandLine({ cluster: "demo", options: { "apiserver-endpoint": "https://a.example", "service-ipv4-cidr": "172.20.0.0/16" }, environment: {}, nodeName: "instance-id", nodeNameSource: undefined, reserveFor: undefined, authenticator: undefined });
      const { facts: answers } = gather({ ...config, cluster: { ...config.cluster, certificateAuthority: { value: "", source: "test" } } });
      const facts = await answers;
      expect(facts.instance?.id).toBe(WORLD.instanceId);
    });
    expect(showRequests(simulator.requests).toSorted()).toEqual([
      "GET /latest/dynamic/instance-identity/document",
      "GET /latest/meta-data/mac",
      "GET /latest/meta-data/services/domain",
      "GET /latest/user-data",
      "PUT /latest/api/token",
    ]);
    expect(depthOf(simulator.requests)).toBe(2);
  });

  it.each([
    ["fetched", "EC2 will be asked, as far as can be seen", [], true, true],
    ["not fetched", "the command line names the node", ["--node-name", "instance-id"], true, false],
    ["not fetched", "it has no NodeConfig", [], false, false],
  ] as const)("while it is read credentials are %s where %s", async (_, __, words, hasNodeConfig, isFetched) => {
    simulator.setWorld({ ...WORLD, userData: hasNodeConfig ? USER_DATA : "#!/bin/sh" });
    await withFacts(words, async ({ userData, expectDocuments: onNodeConfig, askAhead }, flags) => {
      askAhead();
      await readConfigSources(flags.configSources, { root: "/nowhere", userData, onNodeConfig });
      await userData();
    });
    expect(simulator.requests.some(({ target }) => target.includes("security-credentials"))).toBe(isFetched);
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
