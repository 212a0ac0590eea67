import { HttpRequest, HttpResponse } from "@smithy/protocol-http";
import { SignatureV4 } from "@smithy/signature-v4";
import type { HttpHandlerOptions, QueryParameterBag } from "@smithy/types";
import type { HttpResponse as Answer } from "./exchange.ts";
import type { Http } from "./http.ts";
import { Sha256 } from "./sha256.ts";

// Costs time to load: import this file lazily.

export type Credentials = {
  readonly accessKeyId: string;
  readonly secretAccessKey: string;
  readonly sessionToken?: string;
  readonly expiration?: Date;
};

/** A request of an AWS API, to be signed. */
export type Unsigned = {
  readonly method: "GET" | "POST";
  readonly url: string;
  readonly headers: Readonly<Record<string, string>>;
  readonly body?: string;
  readonly service: string;
  readonly region: string;
};

/** The headers that carry the request with its Signature Version 4. */
export async function signedHeaders(request: Unsigned, credentials: Credentials, now: Date): Promise<Readonly<Record<string, string>>> {
  const signed = await signer(request, credentials).sign(smithyRequest(request), { signingDate: now });
  return signed.headers;
}

/** The URL that carries the request and its signature in its query, good for `seconds`. */
export async function presignedUrl(request: Unsigned, credentials: Credentials, seconds: number, now: Date): Promise<string> {
  const signed = await signer(request, credentials).presign(smithyRequest(request), { expiresIn: seconds, signingDate: now, unhoistableHeaders: new Set(Object.keys(request.headers)) });
  return urlOf(new HttpRequest(signed));
}

function signer(request: Unsigned, credentials: Credentials): SignatureV4 {
  return new SignatureV4({ service: request.service, region: request.region, credentials, sha256: Sha256 });
}

function smithyRequest(request: Unsigned): HttpRequest {
  const url = new URL(request.url);
  return new HttpRequest({
    method: request.method,
    protocol: url.protocol,
    hostname: url.hostname,
    ...(url.port === "" ? {} : { port: Number(url.port) }),
    path: url.pathname,
    query: Object.fromEntries(url.searchParams),
    headers: { ...request.headers, host: url.host },
    body: request.body,
  });
}

/** What an SDK client takes as its requestHandler. */
export type SmithyHandler = {
  readonly handle: (request: HttpRequest, options?: HttpHandlerOptions) => Promise<{ response: HttpResponse }>;
  readonly updateHttpClientConfig: () => void;
  readonly httpHandlerConfigs: () => Record<string, never>;
};

/**
 * An SDK client's way to `http`, so that there is one HTTP stack, one trust and one proxy. The time of a request and its
 * signal are those given to `client.send(command, { requestTimeout, abortSignal })`.
 *
 * @param check sees each answer before the SDK does, and may throw
 */
export function smithyHandler(http: Http, check: (answer: Answer) => void): SmithyHandler {
  return {
    handle: async (request, options = {}) => {
      const answer = await http.request({
        method: request.method as "GET" | "POST",
        url: urlOf(request),
        headers: request.headers,
        ...(request.body === undefined ? {} : { body: request.body as string | Uint8Array }),
        timeoutMs: options.requestTimeout ?? DEFAULT_TIMEOUT_MS,
        signal: options.abortSignal instanceof AbortSignal ? options.abortSignal : undefined,
      });
      check(answer);
      return { response: new HttpResponse({ statusCode: answer.status, headers: { ...answer.headers }, body: answer.body }) };
    },
    updateHttpClientConfig: () => undefined,
    httpHandlerConfigs: () => ({}),
  };
}

const DEFAULT_TIMEOUT_MS = 5_000;

function urlOf({ protocol, hostname, port, path, query }: HttpRequest): string {
  return `${protocol}//${hostname}${port === undefined ? "" : `:${port}`}${path}${queryOf(query)}`;
}

function queryOf(query: QueryParameterBag): string {
  const pairs = Object.entries(query).flatMap(([name, value]) => [value ?? ""].flat().map((one) => `${encodeURIComponent(name)}=${encodeURIComponent(one)}`));
  return pairs.length === 0 ? "" : `?${pairs.join("&")}`;
}
