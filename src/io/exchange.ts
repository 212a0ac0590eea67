import { asNoAnswer, NoAnswer } from "./no-answer.ts";

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

/** What of an undici dispatcher sends a request. */
export type Sender = {
  readonly request: (options: {
    origin: string;
    path: string;
    method: HttpRequest["method"];
    headers: Record<string, string>;
    body: string | Uint8Array | null;
    signal: AbortSignal;
  }) => Promise<{ readonly statusCode: number; readonly headers: Readonly<Record<string, string | string[] | undefined>>; readonly body: AsyncIterable<Buffer> }>;
};

const DEFAULT_MAX_BYTES = 1024 * 1024;

/**
 * Sends a request and takes its whole answer.
 *
 * @throws NoAnswer when there is no whole answer in time, the signal's reason when aborted
 */
export async function exchange(dispatcher: Sender, request: HttpRequest): Promise<HttpResponse> {
  const { origin, pathname, search } = new URL(request.url);
  const limit = limited(request);
  try {
    const response = await dispatcher.request({
      origin,
      path: pathname + search,
      method: request.method,
      headers: { ...request.headers },
      body: request.body ?? null,
      signal: limit.signal,
    });
    const body = await readBody(response.body, request.maxBytes ?? DEFAULT_MAX_BYTES);
    return { status: response.statusCode, headers: plainHeaders(response.headers), body };
  } catch (error) {
    request.signal?.throwIfAborted();
    if (limit.isOver()) throw new NoAnswer("TIMEOUT", `no answer within ${request.timeoutMs / 1000} s`, error);
    throw asNoAnswer(error);
  } finally {
    limit.lift();
  }
}

type Limit = { readonly signal: AbortSignal; readonly isOver: () => boolean; readonly lift: () => void };

/** Aborted when the request's time is over or its signal is; AbortSignal.any() and .timeout() cost several times as much. */
function limited({ timeoutMs, signal }: Pick<HttpRequest, "timeoutMs" | "signal">): Limit {
  signal?.throwIfAborted();
  const either = new AbortController();
  const onAbort = (): void => either.abort(signal?.reason);
  let isOver = false;
  const timer = setTimeout(() => {
    isOver = true;
    either.abort();
  }, Math.ceil(timeoutMs));
  signal?.addEventListener("abort", onAbort, { once: true });
  return {
    signal: either.signal,
    isOver: () => isOver,
    lift: () => {
      clearTimeout(timer);
      signal?.removeEventListener("abort", onAbort);
    },
  };
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
