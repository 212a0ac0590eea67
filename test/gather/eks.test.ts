import { expect, test } from "vitest";
import { createAws } from "../../src/gather/aws.ts";
import { describeClusterOnce } from "../../src/gather/eks.ts";
import { createGatherer } from "../../src/gather/gatherer.ts";
import { createImds } from "../../src/gather/imds.ts";
import type { GatherSettings } from "../../src/gather/settings.ts";
import type { ClusterFacts, Facts, Question } from "../../src/resolve/facts.ts";
import { showRequests } from "../simulator/log.ts";
import { TLS } from "../simulator/server-tls.ts";
import type { SimulatorOptions } from "../simulator/simulator.ts";
import type { Fault, FaultKind } from "../simulator/faults.ts";
import { CLUSTER, IPV6_CLUSTER, OUTPOST_CLUSTER, withCluster, WORLD } from "../simulator/world.ts";
import type { WorldCluster } from "../simulator/world.ts";
import { told, withSimulator } from "./fixture.ts";
import type { Fixture } from "./fixture.ts";

const QUESTION: Asked = { kind: "cluster", name: "demo", region: "us-west-2", accountId: "111122223333", patience: "until-deadline" };
const ONE_TRY: Asked = { ...QUESTION, patience: "one-try" };

type Asked = Extract<Question, { kind: "cluster" }>;

type Ask = (question?: Question) => Promise<Facts>;

async function withEks<T>(options: SimulatorOptions, use: (ask: Ask, fixture: Fixture) => Promise<T>, changes: Partial<GatherSettings> = {}): Promise<T> {
  return withSimulator(options, changes, async (fixture) => {
    const gatherer = createGatherer({ ...fixture.settings, environment: { ...fixture.simulator.environment, ...changes.environment } });
    try {
      return await use((question = QUESTION) => gatherer.ask(question, {}), fixture);
    } finally {
      await gatherer.close();
    }
  });
}

function failing(kind: FaultKind, times?: number): readonly Fault[] {
  return [{ on: "DescribeCluster", ...kind, ...(times === undefined ? {} : { times }) }];
}

function error(name: string, status: number, message?: string): FaultKind {
  return { kind: "error", name, status, ...(message === undefined ? {} : { message }) };
}

function cluster(changes: Partial<WorldCluster>): FaultKind {
  return { kind: "world", change: (world) => withCluster(world, "demo", changes) };
}

const FACTS: ClusterFacts = {
  name: "demo",
  endpoint: "https://0123456789ABCDEF0123456789ABCDEF.gr7.us-west-2.eks.amazonaws.com",
  certificateAuthority: CLUSTER.certificateAuthority?.data ?? "",
  ipFamily: "ipv4",
  serviceIpv4Cidr: "172.20.0.0/16",
};

const { serviceIpv4Cidr: _, ...WITHOUT_CIDR } = FACTS;

test.each<[string, WorldCluster, ClusterFacts]>([
  ["IPv4", CLUSTER, FACTS],
  ["IPv6", IPV6_CLUSTER, { ...WITHOUT_CIDR, ipFamily: "ipv6", serviceIpv6Cidr: "fd30:1c53:5f8a::/108" }],
  ["local on an Outpost", OUTPOST_CLUSTER, { ...FACTS, id: OUTPOST_CLUSTER.id ?? "", outpostArn: OUTPOST_CLUSTER.outpostConfig?.outpostArns[0] ?? "" }],
  ["UPDATING", { ...CLUSTER, status: "UPDATING" }, FACTS],
  ["with null where it has nothing", { ...CLUSTER, id: null, outpostConfig: null, kubernetesNetworkConfig: { ...CLUSTER.kubernetesNetworkConfig, serviceIpv6Cidr: null } }, FACTS],
  ["without a network configuration", { ...CLUSTER, kubernetesNetworkConfig: null }, WITHOUT_CIDR],
])("a cluster: %s", async (_, described, facts) => {
  await withEks({ world: { ...WORLD, clusters: [described] } }, async (ask) => expect(await ask()).toEqual({ cluster: { value: facts } }));
});

test.each<[string, FaultKind]>([
  ["it is CREATING", cluster({ status: "CREATING", endpoint: null, certificateAuthority: null })],
  ["it is PENDING", cluster({ status: "PENDING" })],
  ["it has no endpoint", cluster({ endpoint: null })],
  ["its endpoint is empty", cluster({ endpoint: "" })],
  ["it has no certificate authority", cluster({ certificateAuthority: { data: null } })],
  ["its IPv6 block is missing", cluster({ kubernetesNetworkConfig: { ipFamily: "ipv6", serviceIpv6Cidr: null } })],
  ["calls are throttled, with status 429", error("ThrottlingException", 429)],
  ["calls are throttled, with status 400", error("ThrottlingException", 400)],
  ["calls are throttled, by status alone", error("Unheard", 429)],
  ["EKS fails", error("ServerException", 500)],
  ["a proxy fails with a page of HTML", { kind: "status", status: 502, body: "<html>bad gateway</html>" }],
  ["connections are reset", { kind: "reset" }],
  ["answers are cut off", { kind: "truncated" }],
])("%s for a while: it waits with half jitter from one second up to thirty", async (_, fault) => {
  await withEks({ faults: failing(fault, 7) }, async (ask, { clock }) => {
    expect(await ask()).toEqual({ cluster: { value: FACTS } });
    expect(clock.slept).toEqual([750, 1500, 3000, 6000, 12_000, 22_500, 22_500]);
  });
});

test.each<[string, FaultKind]>([
  ["the role may not yet", error("AccessDeniedException", 403)],
  ["AWS does not know the credentials yet", error("UnrecognizedClientException", 403)],
  ["the answer is a page of HTML", { kind: "html" }],
  ["the answer is empty", { kind: "empty" }],
  ["the endpoint is no URL", cluster({ endpoint: "null" })],
])("%s, for a few seconds: it waits", async (_, fault) => {
  await withEks({ faults: failing(fault, 3) }, async (ask, { clock }) => {
    expect([await ask(), clock.slept]).toEqual([{ cluster: { value: FACTS } }, [500, 1000, 2000]]);
  });
});

test("credentials that AWS does not know are fetched anew for the next try", async () => {
  await withEks({ faults: failing(error("ExpiredTokenException", 403), 1) }, async (ask, { simulator }) => {
    await ask();
    expect(showRequests(simulator.requests).filter((request) => request.endsWith("/demo-node-role"))).toHaveLength(2);
  });
});

const PREFIX = 'Cannot describe EKS cluster "demo" in us-west-2 (account 111122223333): ';

test.each<[string, FaultKind, string]>([
  ["there is no such cluster", error("ResourceNotFoundException", 404, "No cluster found"), "cluster-not-found: PREFIXthere is no such cluster (ResourceNotFoundException)"],
  ["it has FAILED", cluster({ status: "FAILED" }), "cluster-unusable: PREFIXit is FAILED"],
  ["it is DELETING", cluster({ status: "DELETING" }), "cluster-unusable: PREFIXit is DELETING"],
  ["a parameter is wrong", error("InvalidParameterException", 400, "no"), "config-invalid: PREFIXit refuses the request (InvalidParameterException: no)"],
])("%s: it fails at once", async (_, fault, message) => {
  await withEks({ faults: failing(fault) }, async (ask, { clock }) => {
    expect([await told(ask()), clock.slept]).toEqual([message.replace("PREFIX", PREFIX), []]);
  });
});

test.each<[string, FaultKind, string]>([
  ["it stays CREATING", cluster({ status: "CREATING" }), "cluster-not-ready: PREFIXit is CREATING (31 tries in 586 s)"],
  ["it never gets an endpoint", cluster({ endpoint: null }), "cluster-not-ready: PREFIXit is ACTIVE, but has no endpoint yet (31 tries in 586 s)"],
  ["calls stay throttled", error("ThrottlingException", 429, "Rate exceeded"), "throttled: PREFIXit is throttled (ThrottlingException: Rate exceeded) (31 tries in 586 s)"],
  ["EKS keeps failing", error("ServerException", 500), "unreachable: PREFIXit fails (ServerException: simulated) (31 tries in 586 s)"],
  ["the role may not", error("AccessDeniedException", 403, "User is not authorized"), "access-denied: PREFIXthe node's credentials do not allow eks:DescribeCluster (AccessDeniedException: User is not authorized) (7 tries in 10 s)"],
  ["the credentials stay unknown", error("UnrecognizedClientException", 403), "access-denied: PREFIXAWS does not accept the node's credentials (UnrecognizedClientException: simulated) (7 tries in 10 s)"],
  ["it is always a page of HTML", { kind: "html" }, "remote-nonsense: PREFIXthe answer (status 200) is not JSON (7 tries in 10 s)"],
  ["the answer is other JSON", { kind: "status", status: 200, body: '{"a":1}' }, "remote-nonsense: PREFIXthere is no cluster in the answer (7 tries in 10 s)"],
  ["the certificate authority is nonsense", cluster({ certificateAuthority: { data: "bnVsbA==" } }), "remote-nonsense: PREFIXits certificate authority is not base64 of PEM (7 tries in 10 s)"],
  ["the block is nonsense", cluster({ kubernetesNetworkConfig: { serviceIpv4Cidr: "null" } }), 'remote-nonsense: PREFIXits service CIDR is "null" (7 tries in 10 s)'],
])("%s: it gives up", async (_, fault, message) => {
  await withEks({ faults: failing(fault) }, async (ask) => {
    expect(await told(ask())).toBe(message.replace("PREFIX", PREFIX));
  });
});

test("what IAM does not allow is told with the action and both ways out", async () => {
  await withEks({ faults: failing(error("AccessDeniedException", 403)) }, async (ask) => {
    await expect(ask()).rejects.toMatchObject({
      exitStatus: 77,
      remedy:
        'Allow eks:DescribeCluster on cluster "demo" to the instance\'s role (AmazonEKSWorkerNodePolicy does), or give --apiserver-endpoint, --b64-cluster-ca and --service-ipv4-cidr, for which EKS is not asked.',
    });
  });
});

test("--aws-api-retry-attempts 3 are four tries with bootstrap.sh's sleeps", async () => {
  await withEks(
    { faults: failing(error("ServerException", 500)) },
    async (ask, { clock, simulator }) => {
      expect(await told(ask())).toBe(`unreachable: ${PREFIX}it fails (ServerException: simulated) (4 tries in 88 s)`);
      expect(clock.slept).toEqual([16_000, 26_000, 46_000]);
      expect(simulator.requests.filter(({ target }) => target === "DescribeCluster")).toHaveLength(4);
    },
    { describeClusterRetries: 3 },
  );
});

test("a cluster that is asked for once is a failure in words, not an error", async () => {
  await withEks({ faults: failing(error("ServerException", 500)) }, async (ask, { clock }) => {
    expect([await ask(ONE_TRY), clock.slept]).toEqual([{ cluster: { failure: `${PREFIX}it fails (ServerException: simulated)` } }, []]);
  });
});

test("a cluster that is asked for once does not wait for credentials that hang", async () => {
  await withSimulator({ faults: [{ on: "/latest/meta-data/iam/*", kind: "hang" }] }, {}, async ({ settings }) => {
    const imds = createImds(settings);
    const closing = new AbortController();
    const aws = createAws(imds, settings, closing.signal);
    expect(await told(describeClusterOnce(ONE_TRY, aws, 100))).toBe(`unreachable: ${PREFIX}no answer within 0.1 s`);
    closing.abort();
    await imds.close();
  });
});

test("the request is signed for the region, and has no more than it needs", async () => {
  await withEks({}, async (ask, { simulator }) => {
    await ask();
    expect(simulator.requests.at(-1)).toMatchObject({ method: "GET", target: "DescribeCluster", detail: "/clusters/demo", status: 200 });
  });
});

test("a name that needs escaping is escaped", async () => {
  await withEks({}, async (ask, { simulator }) => {
    expect(await told(ask({ ...QUESTION, name: "a b/c" }))).toContain('EKS cluster "a b/c" in us-west-2');
    expect(simulator.requests.at(-1)).toMatchObject({ detail: "/clusters/a%20b%2Fc" });
  });
});

test("an endpoint that is no URL is an error of the configuration", async () => {
  await withEks(
    {},
    async (ask) => expect(await told(ask())).toBe('config-invalid: Cannot use "eks.example.com" as AWS_ENDPOINT_URL_EKS: it is not an http or https URL'),
    { environment: { AWS_ENDPOINT_URL_EKS: "eks.example.com" } },
  );
});

test("with only Red Hat's bundle on the machine, HTTPS works", async () => {
  const caBundles = ["test/simulator/tls/ca.crt"];
  await withEks({ tls: TLS }, async (ask) => expect(await ask()).toEqual({ cluster: { value: FACTS } }), { caBundles });
});

test("without a bundle that has the certificate's authority, the error says what to do", async () => {
  await withEks(
    { tls: TLS },
    async (ask, { events }) => {
      await expect(ask()).rejects.toMatchObject({
        code: "unreachable",
        remedy:
          "Something between this instance and AWS shows a certificate that is not trusted here: let AWS_CA_BUNDLE name a file with its certificate authority, or install that in the machine's bundle.",
      });
      expect(events.filter(({ kind }) => kind === "note")).toEqual([
        { kind: "note", code: "tls-built-in-roots", message: "No certificate bundle at /nowhere/ca.crt: HTTPS trusts the roots built into the agent, which age with it" },
      ]);
    },
    { caBundles: ["/nowhere/ca.crt"] },
  );
});

test.each([
  ["an hour behind", 3_600_000],
  ["an hour ahead", -3_600_000],
])("a clock that is %s, as before NTP's first answer, is made up for", async (_, clockAheadMs) => {
  await withEks({ world: { ...WORLD, clockAheadMs } }, async (ask, { clock }) => {
    expect([await ask(), clock.slept]).toEqual([{ cluster: { value: FACTS } }, [500]]);
  });
});
