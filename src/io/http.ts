import type { SecureContext } from "node:tls";
import type * as Undici from "undici";
import { AgentError } from "../errors.ts";
import { exchange, type HttpRequest, type HttpResponse } from "./exchange.ts";
import { NoAnswer } from "./no-answer.ts";
import { openingAhead } from "./open-ahead.ts";
import type { Environment } from "./tls-trust.ts";

/** A pool of kept-alive connections. */
export type Http = {
  /**
   * @throws NoAnswer when there is no whole answer, the signal's reason when aborted
   */
  readonly request: (request: HttpRequest) => Promise<HttpResponse>;
  /**
   * Opens connections that will soon be asked for, beside what their requests still wait for. What fails then is told by the request.
   *
   * @param count how many there shall be with those that were made before, 1 unless given
   */
  readonly openAhead: (url: string, count?: number) => void;
  /** Closes the connections when nobody waits for them any more. Whoever asks later has new ones. */
  readonly rest: () => void;
  /** Closes every connection at once, so that none keeps the process alive. */
  readonly close: () => Promise<void>;
};

/** HTTP that never goes through a proxy: for IMDS, which is on this machine. */
export function directHttp(): Http {
  return pooled(async () => direct(await import("undici"), {}));
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
  if (proxy === undefined) return direct(undici, tls);
  const noProxy = variable("no_proxy", environment) ?? "";
  return { dispatcher: new undici.EnvHttpProxyAgent({ ...POOL, connect: tls, requestTls: tls, proxyTls: tls, httpProxy: proxy, httpsProxy: proxy, noProxy }) };
}

function direct({ Agent, buildConnector }: typeof Undici, tls: { readonly secureContext?: SecureContext }): Reached {
  const { connect, open, close } = openingAhead(buildConnector({ ...tls, allowH2: false }));
  return { dispatcher: new Agent({ ...POOL, connect }), open, closeOpened: close };
}

/** Made once: each connection would parse the whole bundle again. */
async function secureContext(trusted: readonly string[]): Promise<SecureContext> {
  // Without HTTPS there is no use for OpenSSL, which takes time to load.
  const { createSecureContext } = await import("node:tls");
  return createSecureContext({ ca: [...trusted] });
}

/** Idle connections live longer than the pauses between the tries of one run. */
const POOL = { connections: 8, allowH2: false, keepAliveTimeout: 30_000 } as const;

type Dispatcher = Pick<Undici.Agent, "dispatch" | "close" | "destroy">;

/** The way to servers by one protocol. */
type Reached = {
  readonly dispatcher: Dispatcher;
  /** Missing where there is a proxy, whose connections are its own. */
  readonly open?: (url: string, count?: number) => void;
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
    openAhead: (url, count) => {
      wayTo(url).then(({ open }) => open?.(url, count), () => undefined);
    },
    rest: () => {
      for (const way of ways.values()) {
        left.push(way);
        way.then(({ dispatcher, closeOpened }) => (closeOpened?.(), dispatcher.close())).catch(() => undefined);
      }
      ways.clear();
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
