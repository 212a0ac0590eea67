import type { SecureContext } from "node:tls";
import type { Agent } from "undici";
import { AgentError, errnoOf } from "../errors.ts";
import { openingAhead } from "./open-ahead.ts";
import type { Environment } from "./tls-trust.ts";

export type HttpRequest = {
  readonly method: "GET" | "PUT" | "POST";
  readonly url: string;
  readonly headers?: Readonly<Record<string, string>>;
  readonly body?: string | Uint8Array;
  /** For all of it: connecting, sending, and the last byte of the answer. */
  readonly timeoutMs: number;
  readonly signal?: AbortSignal | undefined;
  /** Longest body that is accepted, 1 MiB unless given. */
  readonly maxBytes?: number;
};

export type HttpResponse = {
  readonly status: number;
  /** Names in lower case. */
  readonly headers: Readonly<Record<string, string>>;
  readonly body: Buffer;
};

/** A pool of kept-alive connections. */
export type Http = {
  /**
   * @throws NoAnswer when there is no whole answer, the signal's reason when aborted
   */
  readonly request: (request: HttpRequest) => Promise<HttpResponse>;
  /** Opens a connection that will soon be asked for, beside what its request still waits for. What fails then is told by the request. */
  readonly openAhead: (url: string) => void;
  /** Closes every connection at once, so that none keeps the process alive. */
  readonly close: () => Promise<void>;
};

/** No whole answer came. The message is the reason in words, such as "connection refused". */
export class NoAnswer extends Error {
  /** An errno or OpenSSL name, or TIMEOUT or TOO_LARGE. */
  readonly code: string;

  constructor(code: string, message: string, cause?: unknown) {
    super(message, { cause });
    this.name = "NoAnswer";
    this.code = code;
  }
}

const DEFAULT_MAX_BYTES = 1024 * 1024;

/** HTTP that never goes through a proxy: for IMDS, which is on this machine. */
export function directHttp(): Http {
  return pooled(async () => {
    const { Agent } = await import("undici");
    return { dispatcher: new Agent(POOL) };
  });
}

/** PEM texts of certificate authorities. */
export type Trusted = {
  readonly all: readonly string[];
  /** Those of them that will most likely do: the others are looked at when a certificate is from none of these. */
  readonly likely?: readonly string[];
};

/**
 * HTTP and HTTPS as the environment has it: through HTTP_PROXY, HTTPS_PROXY and around them for NO_PROXY, either case.
 *
 * @param trusted asked for once, at the first HTTPS request
 */
export function proxiedHttp(environment: Environment, trusted: () => Promise<Trusted>): Http {
  return pooled(async (protocol) => {
    if (protocol !== "https:") return reached(protocol, environment, {});
    const { all, likely = [] } = await trusted();
    const trusting = async (certificates: readonly string[]): Promise<Reached> => reached(protocol, environment, { secureContext: await secureContext(certificates) });
    return likely.length === 0 ? trusting(all) : { ...(await trusting(likely)), trustingAll: () => trusting(all) };
  });
}

async function reached(protocol: string, environment: Environment, tls: { readonly secureContext?: SecureContext }): Promise<Reached> {
  const undici = await import("undici");
  const proxy = proxyFor(protocol, environment);
  if (proxy === undefined) {
    const { connect, open, close } = openingAhead(undici.buildConnector({ ...tls, allowH2: false }));
    return { dispatcher: new undici.Agent({ ...POOL, connect }), open, closeOpened: close };
  }
  const noProxy = variable("no_proxy", environment) ?? "";
  return { dispatcher: new undici.EnvHttpProxyAgent({ ...POOL, connect: tls, requestTls: tls, proxyTls: tls, httpProxy: proxy, httpsProxy: proxy, noProxy }) };
}

/** Made once: each connection would parse the whole bundle again. */
async function secureContext(trusted: readonly string[]): Promise<SecureContext> {
  // Without HTTPS there is no use for OpenSSL, which takes time to load.
  const { createSecureContext } = await import("node:tls");
  return createSecureContext({ ca: [...trusted] });
}

/** Idle connections live longer than the pauses between the tries of one run. */
const POOL = { connections: 8, allowH2: false, keepAliveTimeout: 30_000 } as const;

type Dispatcher = Pick<Agent, "request" | "destroy">;

/** The way to servers by one protocol. */
type Reached = {
  readonly dispatcher: Dispatcher;
  /** Missing where there is a proxy, whose connections are its own. */
  readonly open?: (url: string) => void;
  readonly closeOpened?: () => void;
  /** The same way, where only the likely certificate authorities are trusted so far. */
  readonly trustingAll?: () => Promise<Reached>;
};

function pooled(reach: (protocol: string) => Promise<Reached>): Http {
  const ways = new Map<string, Promise<Reached>>();
  const left: Promise<Reached>[] = [];
  const wayTo = (url: string): Promise<Reached> => {
    const { protocol } = new URL(url);
    const way = ways.get(protocol) ?? reach(protocol);
    ways.set(protocol, way);
    return way;
  };
  /** Of those whose requests fail at the same time the first makes the new way. */
  const widen = (url: string, way: Promise<Reached>, trustingAll: () => Promise<Reached>): Promise<Reached> => {
    const { protocol } = new URL(url);
    if (ways.get(protocol) === way) {
      left.push(way);
      ways.set(protocol, trustingAll());
    }
    return wayTo(url);
  };
  return {
    request: async (request) => {
      const way = wayTo(request.url);
      const { dispatcher, trustingAll } = await way;
      try {
        return await exchange(dispatcher, request);
      } catch (error) {
        if (trustingAll === undefined || !isUntrusted(error)) throw error;
        return exchange((await widen(request.url, way, trustingAll)).dispatcher, request);
      }
    },
    openAhead: (url) => {
      wayTo(url).then(({ open }) => open?.(url), () => undefined);
    },
    close: async () => {
      const made = await Promise.allSettled([...ways.values(), ...left]);
      await Promise.all(made.map(async (one) => {
        if (one.status === "rejected") return;
        one.value.closeOpened?.();
        await one.value.dispatcher.destroy();
      }));
    },
  };
}

/** OpenSSL's names for "from nobody whom we trust". */
const UNTRUSTED = ["UNABLE_TO_GET_ISSUER_CERT", "UNABLE_TO_GET_ISSUER_CERT_LOCALLY", "UNABLE_TO_VERIFY_LEAF_SIGNATURE", "SELF_SIGNED_CERT_IN_CHAIN", "DEPTH_ZERO_SELF_SIGNED_CERT", "CERT_UNTRUSTED"];

function isUntrusted(error: unknown): boolean {
  return error instanceof NoAnswer && UNTRUSTED.includes(error.code);
}

async function exchange(dispatcher: Dispatcher, request: HttpRequest): Promise<HttpResponse> {
  const timeout = AbortSignal.timeout(Math.ceil(request.timeoutMs));
  const signal = request.signal === undefined ? timeout : AbortSignal.any([timeout, request.signal]);
  const { origin, pathname, search } = new URL(request.url);
  try {
    const response = await dispatcher.request({
      origin,
      path: pathname + search,
      method: request.method,
      headers: { ...request.headers },
      body: request.body ?? null,
      signal,
    });
    const body = await readBody(response.body, request.maxBytes ?? DEFAULT_MAX_BYTES);
    return { status: response.statusCode, headers: plainHeaders(response.headers), body };
  } catch (error) {
    request.signal?.throwIfAborted();
    if (timeout.aborted) throw new NoAnswer("TIMEOUT", `no answer within ${request.timeoutMs / 1000} s`, error);
    throw asNoAnswer(error);
  }
}

async function readBody(body: AsyncIterable<Buffer>, maxBytes: number): Promise<Buffer> {
  const chunks: Buffer[] = [];
  let length = 0;
  for await (const chunk of body) {
    length += chunk.length;
    if (length > maxBytes) throw new NoAnswer("TOO_LARGE", `the answer is longer than ${maxBytes} bytes`);
    chunks.push(chunk);
  }
  return Buffer.concat(chunks);
}

function plainHeaders(headers: Readonly<Record<string, string | string[] | undefined>>): Readonly<Record<string, string>> {
  return Object.fromEntries(Object.entries(headers).map(([name, value]) => [name, [value ?? ""].flat().join(", ")]));
}

const REASONS: Readonly<Record<string, string>> = {
  ECONNREFUSED: "connection refused",
  ECONNRESET: "connection reset",
  EHOSTUNREACH: "no route to the host",
  ENETUNREACH: "network unreachable",
  ENOTFOUND: "host name not found",
  EAI_AGAIN: "host name lookup failed",
  ETIMEDOUT: "connecting timed out",
  UND_ERR_CONNECT_TIMEOUT: "connecting timed out",
  UND_ERR_SOCKET: "connection closed before the end of the answer",
  UND_ERR_RES_CONTENT_LENGTH_MISMATCH: "connection closed before the end of the answer",
};

/** The failure of a connection in words; what is no such failure, as a wrong argument, is a bug and is returned as it is. */
function asNoAnswer(error: unknown): unknown {
  const code = errnoOf(error);
  if (error instanceof NoAnswer || !(error instanceof Error) || code === undefined || BUGS.includes(code)) return error;
  return new NoAnswer(code, REASONS[code] ?? `${error.message} (${code})`, error);
}

const BUGS = ["UND_ERR_INVALID_ARG", "ERR_INVALID_URL", "ERR_INVALID_ARG_TYPE", "ERR_INVALID_ARG_VALUE"];

/** The proxy as a URL: "proxy.example:3128" is common, and is meant as http. */
function proxyFor(protocol: string, environment: Environment): string | undefined {
  const name = protocol === "https:" ? "https_proxy" : "http_proxy";
  const value = variable(name, environment);
  if (value === undefined) return undefined;
  const proxy = value.includes("://") ? value : `http://${value}`;
  if (URL.canParse(proxy) && PROXY_PROTOCOLS.includes(new URL(proxy).protocol)) return proxy;
  // The value is not shown: it may hold a password.
  throw new AgentError("config-invalid", `Cannot use the proxy that ${name.toUpperCase()} names: its value is not an http or https URL`, {
    remedy: `Set ${name.toUpperCase()} to a URL such as http://proxy.example.com:3128.`,
  });
}

const PROXY_PROTOCOLS = ["http:", "https:"];

function variable(name: string, environment: Environment): string | undefined {
  return environment[name] || environment[name.toUpperCase()] || undefined;
}
