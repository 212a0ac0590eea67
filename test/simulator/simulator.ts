import { createServer as createHttpServer } from "node:http";
import type { IncomingMessage, Server, ServerResponse } from "node:http";
import { createServer as createHttpsServer } from "node:https";
import type { AddressInfo } from "node:net";
import { setImmediate, setTimeout as sleep } from "node:timers/promises";
import type { Answer } from "./answer.ts";
import { answerEc2 } from "./ec2.ts";
import { answerEcr } from "./ecr.ts";
import { answerDescribeCluster } from "./eks.ts";
import { faultFinder, sendAnswer } from "./faults.ts";
import type { Fault } from "./faults.ts";
import { answerImds } from "./imds.ts";
import type { Tokens } from "./imds.ts";
import { answerSigned } from "./signature.ts";
import { WORLD } from "./world.ts";
import type { World } from "./world.ts";

export type SimulatorOptions = {
  readonly world?: World;
  /** Added before each answer. */
  readonly latency?: { readonly imdsMs?: number; readonly awsMs?: number };
  readonly faults?: readonly Fault[];
  /** 0, the default, takes any free port. */
  readonly port?: number;
  /** Of this machine, to listen on; 127.0.0.1 unless given. */
  readonly address?: string;
  /** PEM texts: EKS and EC2 are then reached by https on https://localhost, IMDS still by http. */
  readonly tls?: { readonly key: string; readonly cert: string };
};

/** One request; times are milliseconds of performance.now(). */
export type SimulatedRequest = {
  readonly start: number;
  /** Undefined while it is not answered. */
  readonly end: number | undefined;
  readonly method: string;
  /** A path of IMDS, or the name of an EKS or EC2 action. */
  readonly target: string;
  /** For EKS and EC2: the path, or the form that was sent. */
  readonly detail: string;
  readonly status: number | undefined;
};

export type Simulator = {
  /** Variables that point the agent, or an AWS SDK, at this simulator. Credentials come from its IMDS. */
  readonly environment: Readonly<Record<string, string>>;
  /** In the order of arrival. */
  readonly requests: readonly SimulatedRequest[];
  /** TCP connections accepted so far. */
  readonly connections: () => number;
  /** Later requests see this world. */
  readonly setWorld: (world: World) => void;
  /** Later requests meet these faults, counted from now. */
  readonly setFaults: (faults: readonly Fault[]) => void;
  /** Every token given out so far becomes invalid: the next request with one is answered 401. */
  readonly forgetTokens: () => void;
  readonly close: () => Promise<void>;
};

/** Starts IMDSv2, EKS and EC2 of a made-up AWS, by real HTTP. */
export async function startSimulator(options: SimulatorOptions = {}): Promise<Simulator> {
  const requests: LoggedRequest[] = [];
  const tokens: Tokens = new Map();
  let faultOf = faultFinder(options.faults ?? []);
  let world = options.world ?? WORLD;
  let connections = 0;

  const serve = async (request: IncomingMessage, response: ServerResponse): Promise<void> => {
    const body = await bodyOf(request);
    const { target, detail, answer } = route(request, body);
    const entry: LoggedRequest = { start: performance.now(), end: undefined, method: request.method ?? "", target, detail, status: undefined };
    requests.push(entry);
    response.on("close", () => {
      entry.end = performance.now();
      entry.status = response.writableFinished ? response.statusCode : undefined;
    });
    const latencyMs = (target.startsWith("/latest/") ? options.latency?.imdsMs : options.latency?.awsMs) ?? 0;
    await until(entry.start + latencyMs);
    const fault = faultOf(target);
    sendAnswer(response, answer(fault?.kind === "world" ? fault.change(world) : world, tokens), fault, target);
  };
  const onRequest = (request: IncomingMessage, response: ServerResponse): void => {
    serve(request, response).catch((error: unknown) => response.destroy(error as Error));
  };

  const servers = [createHttpServer({ keepAliveTimeout: 60_000 }, onRequest)];
  if (options.tls !== undefined) servers.push(createHttpsServer({ ...options.tls, keepAliveTimeout: 60_000 }, onRequest));
  for (const server of servers) server.on("connection", () => (connections += 1));
  const ports = await Promise.all(servers.map((server, index) => listen(server, index === 0 ? (options.port ?? 0) : 0, options.address ?? "127.0.0.1")));

  return {
    environment: environmentFor(ports),
    requests,
    connections: () => connections,
    setWorld: (next) => {
      world = next;
    },
    setFaults: (faults) => {
      faultOf = faultFinder(faults);
    },
    forgetTokens: () => tokens.clear(),
    close: async () => {
      await Promise.all(servers.map(closeServer));
    },
  };
}

/** A timer is late by up to a millisecond, which would be half of what IMDS takes: the last of it is waited for turn by turn. */
async function until(dueMs: number): Promise<void> {
  const leftMs = dueMs - performance.now();
  if (leftMs > LATEST_MS) await sleep(leftMs - LATEST_MS);
  while (performance.now() < dueMs) await setImmediate();
}

const LATEST_MS = 1.5;

type LoggedRequest = { -readonly [K in keyof SimulatedRequest]: SimulatedRequest[K] };

type Route = { readonly target: string; readonly detail: string; readonly answer: (world: World, tokens: Tokens) => Answer };

function route(request: IncomingMessage, body: string): Route {
  // cloud-init asks for versions of IMDS by their date; this IMDS has one.
  const path = new URL(request.url ?? "/", "http://simulator").pathname.replace(/^\/\d{4}-\d\d-\d\d\//, "/latest/");
  if (path.startsWith("/latest/")) return { target: path, detail: path, answer: (world, tokens) => answerImds(request, path, world, tokens) };
  if (request.method === "GET" && path.startsWith("/clusters/")) {
    const name = decodeURIComponent(path.slice("/clusters/".length));
    return { target: "DescribeCluster", detail: path, answer: (world) => answerSigned(request, body, "eks", world, () => answerDescribeCluster(name, world)) };
  }
  const [, action] = /^AmazonEC2ContainerRegistry_V20150921\.(\w+)$/.exec(String(request.headers["x-amz-target"])) ?? [];
  if (action !== undefined) return { target: action, detail: body, answer: (world) => answerSigned(request, body, "ecr", world, () => answerEcr(action, world)) };
  const form = new URLSearchParams(body);
  const target = form.get("Action") ?? `${request.method ?? ""} ${path}`;
  return { target, detail: body, answer: (world) => answerSigned(request, body, "ec2", world, () => answerEc2(form, world)) };
}

function environmentFor(ports: readonly number[]): Readonly<Record<string, string>> {
  const [http, https] = ports;
  const imds = `http://127.0.0.1:${http}`;
  const aws = https === undefined ? imds : `https://localhost:${https}`;
  return {
    AWS_EC2_METADATA_SERVICE_ENDPOINT: imds,
    AWS_ENDPOINT_URL_EKS: aws,
    AWS_ENDPOINT_URL_EC2: aws,
    AWS_ENDPOINT_URL_ECR: aws,
    // The machine that runs the tests may have a proxy; the simulator is never behind it.
    NO_PROXY: "127.0.0.1,localhost",
  };
}

async function bodyOf(request: IncomingMessage): Promise<string> {
  const chunks: Buffer[] = [];
  for await (const chunk of request) chunks.push(chunk as Buffer);
  return Buffer.concat(chunks).toString("utf8");
}

async function listen(server: Server, port: number, address: string): Promise<number> {
  await new Promise<void>((resolve, reject) => {
    server.once("error", reject);
    server.listen(port, address, resolve);
  });
  return (server.address() as AddressInfo).port;
}

async function closeServer(server: Server): Promise<void> {
  await new Promise<void>((resolve) => {
    server.close(() => resolve());
    server.closeAllConnections();
  });
}
