import { directHttp } from "../io/http.ts";
import type { HttpRequest, HttpResponse } from "../io/exchange.ts";
import type { Http } from "../io/http.ts";
import type { Try } from "../io/retry.ts";
import { eitherSignal } from "./either-signal.ts";
import { observedRequest } from "./events.ts";
import { parsedText, unexpectedStatus, UNREACHABLE_REMEDY, valueOf } from "./imds-answer.ts";
import { whenSent } from "../io/when-sent.ts";
import { persistently } from "./persistently.ts";
import type { Task } from "./persistently.ts";
import { IMDS_POLICY, limitedPolicy } from "./policies.ts";
import type { GatherSettings } from "./settings.ts";

/** IMDSv2 of this instance. */
export type Imds = {
  /**
   * The value at a path such as "meta-data/mac", without white space around it; undefined when there is none (404). It is
   * below /latest unless it begins with a slash.
   *
   * @param parse undefined when the text cannot be the value, such as a page of HTML
   * @throws AgentError when there is no answer until the deadline, or only nonsense
   */
  readonly get: <T>(path: string, parse: (text: string) => T | undefined, options?: GetOptions) => Promise<T | undefined>;
  /** The same as it is, which may be compressed or empty: for user data. */
  readonly getBytes: (path: string, options?: GetOptions) => Promise<Buffer | undefined>;
  /** Settled when there is a token, or can be none. */
  readonly hasToken: () => Promise<void>;
  /** Nothing more will be asked, most likely: the connections are closed. */
  readonly rest: () => void;
  /** Ends whatever is still asked, at once. */
  readonly close: () => Promise<void>;
};

export type GetOptions = {
  readonly signal?: AbortSignal | undefined;
  /** The value is never shown. */
  readonly isSecret?: boolean;
};

export type ImdsContext = Pick<GatherSettings, "imds" | "deadlineAt" | "clock" | "onEvent">;

/** All concurrent users share one token and a pool of connections. */
export function createImds(context: ImdsContext, http: Http = directHttp()): Imds {
  const closing = new AbortController();
  const orClosed = eitherSignal(closing.signal);
  const session = createSession(context, http, closing.signal);

  const get = <T>(path: string, read: (response: HttpResponse) => T, signal: AbortSignal | undefined): Promise<T | undefined> => {
    const either = orClosed(signal);
    const target = path.startsWith("/") ? path : `/latest/${path}`;
    return persistently({ ...context, signal: either }, taskOf(context, target, `read "${path}"`), async (one) =>
      valueOf(await session.ask(target, one, either), read),
    );
  };

  return {
    get: (path, parse, { signal, isSecret = false } = {}) => get(path, ({ body }) => parsedText(body, parse, isSecret), signal),
    getBytes: (path, { signal } = {}) => get(path, ({ body }) => body, signal),
    hasToken: () => session.token().then(() => undefined, () => undefined),
    rest: http.rest,
    close: async () => {
      closing.abort(new Error("IMDS is no longer needed"));
      await http.close();
    },
  };
}

/**
 * A new token, for whoever asks IMDS himself.
 *
 * @throws AgentError when there is none until the deadline
 */
export async function fetchImdsToken(context: ImdsContext, signal: AbortSignal): Promise<string> {
  const http = directHttp();
  try {
    return await fetchToken(context, http, signal);
  } finally {
    await http.close();
  }
}

type Session = {
  readonly token: () => Promise<string>;
  readonly ask: (target: string, one: Try, signal: AbortSignal) => Promise<HttpResponse>;
};

/** GETs with a token; a token that is refused is replaced once. */
function createSession(context: ImdsContext, http: Http, closing: AbortSignal): Session {
  let token = context.imds.token === undefined ? undefined : Promise.resolve(context.imds.token);
  let waiting = 0;
  const fetchAnew = (): Promise<string> => {
    // All who wait for it then ask at once.
    whenSent(() => http.openAhead(context.imds.endpoint, waiting));
    // Not bound to the signal of the first who needs it, since others wait for the same token.
    return fetchToken(context, http, closing);
  };
  const currentToken = (): Promise<string> => (token ??= fetchAnew());
  const getWith = async (used: Promise<string>, target: string, one: Try, signal: AbortSignal): Promise<HttpResponse> => {
    waiting += 1;
    const headers = { "x-aws-ec2-metadata-token": await used.finally(() => (waiting -= 1)) };
    return send(context, http, target, one, { method: "GET", headers, signal });
  };
  return {
    token: currentToken,
    ask: async (target, one, signal) => {
      const used = currentToken();
      const response = await getWith(used, target, one, signal);
      if (response.status !== 401) return response;
      if (token === used) token = undefined;
      return getWith(currentToken(), target, one, signal);
    },
  };
}

const TOKEN_TARGET = "/latest/api/token";
const DEFAULT_TTL_SECONDS = 21600;

function fetchToken(context: ImdsContext, http: Http, signal: AbortSignal): Promise<string> {
  const headers = { "x-aws-ec2-metadata-token-ttl-seconds": String(context.imds.tokenTtlSeconds ?? DEFAULT_TTL_SECONDS) };
  return persistently({ ...context, signal }, taskOf(context, TOKEN_TARGET, "get a token"), async (one) =>
    tokenIn(await send(context, http, TOKEN_TARGET, one, { method: "PUT", headers, signal })),
  );
}

function tokenIn(response: HttpResponse): string {
  const token = valueOf(response, ({ body }) => parsedText(body, parseToken, true));
  // Unlike a key, the token is never absent: where it is, there is no IMDSv2.
  if (token === undefined) throw unexpectedStatus(404);
  return token;
}

/** The text if a header can carry it as a token. */
export function parseToken(text: string): string | undefined {
  return /^[\w+/=-]{1,1024}$/.test(text) ? text : undefined;
}

/** One try. */
function send(context: ImdsContext, http: Http, target: string, one: Try, request: Pick<HttpRequest, "method" | "headers" | "signal">): Promise<HttpResponse> {
  return observedRequest(context, { service: "imds", target, attempt: one.number }, () =>
    http.request({ ...request, timeoutMs: one.timeoutMs, url: context.imds.endpoint + target }),
  );
}

function taskOf({ imds }: ImdsContext, target: string, what: string): Task {
  const policy = limitedPolicy(IMDS_POLICY, imds.retries === undefined ? undefined : imds.retries + 1, imds.retryDelayMs);
  return { service: "imds", target, task: `Cannot ${what} from IMDS at ${imds.endpoint}`, remedy: UNREACHABLE_REMEDY, policy };
}
