import { readFileSync } from "node:fs";
import { afterEach, expect, test } from "vitest";
import { directHttp, proxiedHttp } from "../../src/io/http.ts";
import type { HttpRequest } from "../../src/io/exchange.ts";
import type { Http, Trusted } from "../../src/io/http.ts";
import { type Proxy, startProxy as startProxyServer } from "../simulator/proxy.ts";
import { TLS } from "../simulator/server-tls.ts";
import { startSimulator } from "../simulator/simulator.ts";
import type { SimulatorOptions } from "../simulator/simulator.ts";

const CA = readFileSync("test/simulator/tls/ca.crt", "utf8");
const OTHER_CA = readFileSync("test/simulator/tls/cluster-ca.crt", "utf8");

const open: { close: () => unknown }[] = [];
afterEach(async () => {
  for (const one of open.splice(0)) await one.close();
});

function kept<T extends { close: () => unknown }>(one: T): T {
  open.push(one);
  return one;
}

async function simulator(options: SimulatorOptions = {}): Promise<{ imds: string; aws: string; connections: () => number }> {
  const { environment, connections } = kept(await startSimulator(options));
  return { imds: environment["AWS_EC2_METADATA_SERVICE_ENDPOINT"] ?? "", aws: environment["AWS_ENDPOINT_URL_EKS"] ?? "", connections };
}

async function startProxy(): Promise<Proxy> {
  return kept(await startProxyServer());
}

const never = (): Promise<Trusted> => Promise.reject(new Error("nobody to trust was asked for"));

function get(url: string, more: Partial<HttpRequest> = {}): HttpRequest {
  return { method: "GET", url, timeoutMs: 5_000, ...more };
}

async function failureOf(http: Http, request: HttpRequest): Promise<unknown> {
  return kept(http).request(request).catch((error: unknown) => error);
}

test("an answer has its status, headers and bytes", async () => {
  const { imds } = await simulator({ faults: [{ on: "/latest/x", kind: "status", status: 418, body: "ä" }] });
  const { status, headers, body } = await kept(directHttp()).request(get(`${imds}/latest/x`));
  expect([status, headers["content-length"], body]).toEqual([418, "2", Buffer.from("ä")]);
});

test("who asks is told when the request goes out, and not while its connection is being made", async () => {
  const { aws, imds } = await simulator({ tls: TLS, latency: { imdsMs: 0, awsMs: 20 } });
  const seen: string[] = [];
  const note = (what: string): (() => void) => () => void seen.push(what);
  const trusted = (): Promise<Trusted> => (note("trust asked for")(), Promise.resolve({ all: [CA] }));
  const asked = kept(proxiedHttp({}, trusted)).request(get(`${aws}/clusters/demo`, { onSent: note("sent") }));
  await asked.then(note("answered"));
  await expect(kept(directHttp()).request(get("http://127.0.0.1:1/", { onSent: note("sent to nobody") }))).rejects.toThrow("connection refused");
  await kept(directHttp()).request(get(`${imds}/latest/x`, { onSent: note("sent to IMDS") }));
  expect(seen).toEqual(["trust asked for", "sent", "answered", "sent to IMDS"]);
});

test("requests one after another use the connections that are there", async () => {
  const { imds, connections } = await simulator();
  const http = kept(directHttp());
  for (let i = 0; i < 10; i += 1) await http.request(get(`${imds}/latest/meta-data/mac`));
  // A connection is free again a moment after its answer has ended, so there may be a second.
  expect(connections()).toBeLessThanOrEqual(2);
});

test.each([
  ["refused", "http://127.0.0.1:1/", "ECONNREFUSED", "connection refused"],
  ["to a name that does not exist", "http://nowhere.invalid/", "ENOTFOUND", "host name not found"],
])("a connection %s is no answer", async (_, url, code, message) => {
  expect(await failureOf(directHttp(), get(url))).toMatchObject({ name: "NoAnswer", code, message });
});

test.each([
  ["reset", { kind: "reset" }, {}, "ECONNRESET", "connection reset"],
  ["never answered", { kind: "hang" }, { timeoutMs: 50 }, "TIMEOUT", "no answer within 0.05 s"],
  ["whose answer drips past the time", { kind: "slow", byteMs: 40 }, { timeoutMs: 200 }, "TIMEOUT", "no answer within 0.2 s"],
  ["whose answer is cut off", { kind: "truncated" }, {}, "UND_ERR_SOCKET", "connection closed before the end of the answer"],
  ["whose answer is longer than allowed", { kind: "html" }, { maxBytes: 20 }, "TOO_LARGE", "the answer is longer than 20 bytes"],
] as const)("a request %s has no answer", async (_, fault, more, code, message) => {
  const { imds } = await simulator({ faults: [{ on: "/latest/api/token", ...fault }] });
  const request = get(`${imds}/latest/api/token`, { method: "PUT", headers: { "x-aws-ec2-metadata-token-ttl-seconds": "60" }, ...more });
  expect(await failureOf(directHttp(), request)).toMatchObject({ name: "NoAnswer", code, message });
});

test("an aborted request fails with the signal's reason", async () => {
  const { imds } = await simulator({ faults: [{ on: "*", kind: "hang" }] });
  const controller = new AbortController();
  const running = failureOf(directHttp(), get(`${imds}/latest/x`, { signal: controller.signal }));
  controller.abort("enough");
  expect(await running).toBe("enough");
});

test("rest() closes the connections that nobody waits for, and whoever asks later has new ones", async () => {
  const { imds, connections } = await simulator({ latency: { imdsMs: 50, awsMs: 0 } });
  const http = kept(directHttp());
  const running = http.request(get(`${imds}/latest/x`));
  await new Promise((done) => setTimeout(done, 20));
  http.rest();
  expect((await running).status).toBe(401);
  expect((await http.request(get(`${imds}/latest/x`))).status).toBe(401);
  expect(connections()).toBe(2);
});

test("close() ends what is still asked", async () => {
  const { imds } = await simulator({ faults: [{ on: "*", kind: "hang" }] });
  const http = directHttp();
  await http.request(get(`${imds}/latest/x`, { timeoutMs: 50 })).catch(() => undefined);
  const running = http.request(get(`${imds}/latest/x`)).catch((error: unknown) => error);
  await new Promise(setImmediate);
  await http.close();
  expect(await running).toBeInstanceOf(Error);
});

test("HTTPS trusts the certificate authorities that it is given, and reads them once", async () => {
  const { aws } = await simulator({ tls: TLS });
  let reads = 0;
  const http = kept(proxiedHttp({}, () => ((reads += 1), Promise.resolve({ all: [OTHER_CA, CA] }))));
  const answers = await Promise.all([http.request(get(`${aws}/clusters/demo`)), http.request(get(`${aws}/clusters/demo`))]);
  expect([answers.map(({ status }) => status), reads]).toEqual([[403, 403], 1]);
});

test("HTTPS of a certificate authority that is not trusted is no answer", async () => {
  const { aws } = await simulator({ tls: TLS });
  const failure = await failureOf(proxiedHttp({}, () => Promise.resolve({ all: [OTHER_CA] })), get(`${aws}/clusters/demo`));
  expect(failure).toMatchObject({ name: "NoAnswer", code: "UNABLE_TO_VERIFY_LEAF_SIGNATURE" });
});

test("HTTPS trusts the likely certificate authorities alone as long as they do, and all of them at the first certificate of another", async () => {
  const { aws } = await simulator({ tls: TLS });
  const likely = kept(proxiedHttp({}, () => Promise.resolve({ all: [OTHER_CA], likely: [CA] })));
  expect((await likely.request(get(`${aws}/clusters/demo`))).status).toBe(403);
  const unlikely = kept(proxiedHttp({}, () => Promise.resolve({ all: [CA, OTHER_CA], likely: [OTHER_CA] })));
  const answers = await Promise.all([unlikely.request(get(`${aws}/clusters/demo`)), unlikely.request(get(`${aws}/clusters/demo`))]);
  expect(answers.map(({ status }) => status)).toEqual([403, 403]);
  const neither = proxiedHttp({}, () => Promise.resolve({ all: [OTHER_CA], likely: [OTHER_CA] }));
  expect(await failureOf(neither, get(`${aws}/clusters/demo`))).toMatchObject({ code: "UNABLE_TO_VERIFY_LEAF_SIGNATURE" });
});

test.each([["HTTP", {}], ["HTTPS", { tls: TLS }]])("a connection that is opened ahead is the one that the request goes by: %s", async (_, options) => {
  const { aws, connections } = await simulator(options);
  const http = kept(proxiedHttp({}, () => Promise.resolve({ all: [CA] })));
  http.openAhead(`${aws}/x`);
  http.openAhead(`${aws}/y`);
  await expect.poll(connections).toBe(1);
  expect((await http.request(get(`${aws}/clusters/demo`))).status).toBe(403);
  http.openAhead(`${aws}/x`);
  expect(connections()).toBe(1);
});

test("several are opened ahead, as many as are missing, and each serves one of the requests at a time", async () => {
  const { imds, connections } = await simulator();
  const http = kept(directHttp());
  http.openAhead(imds, 2);
  await expect.poll(connections).toBe(2);
  http.openAhead(imds, 4);
  await expect.poll(connections).toBe(4);
  const token = { method: "PUT", headers: { "x-aws-ec2-metadata-token-ttl-seconds": "60" }, timeoutMs: 10_000 } as const;
  const answers = await Promise.all(Array.from({ length: 4 }, () => http.request({ ...token, url: `${imds}/latest/api/token` })));
  expect([answers.map(({ status }) => status), connections()]).toEqual([[200, 200, 200, 200], 4]);
});

test("a connection that nobody asked for is closed with the rest, and one that cannot be opened is told by the request", async () => {
  const { aws } = await simulator();
  const http = proxiedHttp({}, never);
  http.openAhead(aws);
  http.openAhead("http://127.0.0.1:1/");
  http.openAhead("https://127.0.0.1:1/");
  await expect(http.request(get("http://127.0.0.1:1/"))).rejects.toMatchObject({ code: "ECONNREFUSED" });
  await http.close();
});

test("HTTPS goes through the tunnel of HTTPS_PROXY, and the certificate is still checked", async () => {
  const { aws } = await simulator({ tls: TLS });
  const proxy = await startProxy();
  const http = kept(proxiedHttp({ HTTPS_PROXY: proxy.url }, () => Promise.resolve({ all: [CA] })));
  const { status } = await http.request(get(`${aws}/clusters/demo`));
  expect([status, proxy.asked]).toEqual([403, [`CONNECT ${aws.slice("https://".length)}`]]);
  const distrustful = proxiedHttp({ HTTPS_PROXY: proxy.url }, () => Promise.resolve({ all: [OTHER_CA] }));
  expect(await failureOf(distrustful, get(`${aws}/clusters/demo`))).toMatchObject({ name: "NoAnswer", code: "UNABLE_TO_VERIFY_LEAF_SIGNATURE" });
});

test.each([
  ["HTTP_PROXY", (url: string) => ({ HTTP_PROXY: url }), true],
  ["http_proxy before HTTP_PROXY", (url: string) => ({ http_proxy: url, HTTP_PROXY: "http://127.0.0.1:1" }), true],
  ["a proxy without a scheme", (url: string) => ({ HTTP_PROXY: url.slice("http://".length) }), true],
  ["HTTPS_PROXY alone", (url: string) => ({ HTTPS_PROXY: url }), false],
  ["NO_PROXY with the host", (url: string) => ({ HTTP_PROXY: url, NO_PROXY: "example.com,127.0.0.1" }), false],
  ["no_proxy for all", (url: string) => ({ HTTP_PROXY: url, no_proxy: "*" }), false],
])("HTTP and %s: through the proxy is what is expected", async (_, environment, isThroughProxy) => {
  const { imds } = await simulator();
  const proxy = await startProxy();
  const { body } = await kept(proxiedHttp(environment(proxy.url), never)).request(get(`${imds}/latest/meta-data/mac`));
  expect([body.toString(), proxy.asked]).toEqual(isThroughProxy ? ["from the proxy", [`GET ${imds}/latest/meta-data/mac`]] : ["", []]);
});

test("a proxy is told the name and password of its URL", async () => {
  const { imds } = await simulator();
  const proxy = await startProxy();
  const url = proxy.url.replace("http://", "http://me:p%40ss@");
  await kept(proxiedHttp({ HTTP_PROXY: url }, never)).request(get(`${imds}/latest/x`));
  expect(proxy.asked).toEqual([`GET ${imds}/latest/x Basic ${Buffer.from("me:p@ss").toString("base64")}`]);
});

test("a value that cannot be a proxy is an error that does not show it", async () => {
  expect(await failureOf(proxiedHttp({ HTTP_PROXY: "socks5://me:secret@host" }, never), get("http://127.0.0.1:1/"))).toMatchObject({
    code: "config-invalid",
    message: "Cannot use the proxy that HTTP_PROXY names: its value is not an http or https URL",
    remedy: "Set HTTP_PROXY to a URL such as http://proxy.example.com:3128.",
  });
});

test("no proxy stands between the agent and IMDS, whatever the environment of the process", async () => {
  const { imds } = await simulator();
  const proxy = await startProxy();
  const before = process.env["HTTP_PROXY"];
  process.env["HTTP_PROXY"] = proxy.url;
  try {
    const { status } = await kept(directHttp()).request(get(`${imds}/latest/meta-data/mac`));
    expect([status, proxy.asked]).toEqual([401, []]);
  } finally {
    if (before === undefined) delete process.env["HTTP_PROXY"];
    else process.env["HTTP_PROXY"] = before;
  }
});
