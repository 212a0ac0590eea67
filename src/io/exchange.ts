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
  /** Told when it goes out over its connection. */
  readonly onSent?: (() => void) | undefined;
};

export type HttpResponse = {
  readonly status: number;
  /** Names in lower case. */
  readonly headers: Readonly<Record<string, string>>;
  readonly body: Buffer;
};

/** What of an undici dispatcher sends a request: its streams and signals would be loaded and compiled for answers that are read whole. */
export type Sender = {
  readonly dispatch: (options: Dispatched, receiver: Receiver) => boolean;
};

type Dispatched = {
  readonly origin: string;
  readonly path: string;
  readonly method: HttpRequest["method"];
  readonly headers: Record<string, string>;
  readonly body: string | Uint8Array | null;
};

/** What undici tells of a request; of its errors no more comes after them. */
type Receiver = {
  readonly onRequestStart: (controller: Controller) => void;
  /** Comes again after an answer of the 100s. */
  readonly onResponseStart: (controller: Controller, status: number, headers: Headers) => void;
  readonly onResponseData: (controller: Controller, chunk: Buffer) => void;
  readonly onResponseEnd: () => void;
  readonly onResponseError: (controller: Controller, error: Error) => void;
};

type Controller = { readonly abort: (reason: Error) => void };
type Headers = Readonly<Record<string, string | string[] | undefined>>;

const DEFAULT_MAX_BYTES = 1024 * 1024;

/**
 * Sends a request and takes its whole answer.
 *
 * @throws NoAnswer when there is no whole answer in time, the signal's reason when aborted
 */
export async function exchange(sender: Sender, { url, method, headers, body, timeoutMs, signal, maxBytes = DEFAULT_MAX_BYTES, onSent }: HttpRequest): Promise<HttpResponse> {
  signal?.throwIfAborted();
  const { origin, pathname, search } = new URL(url);
  const { answer, receiver, giveUp } = receiving(maxBytes, onSent);
  const timer = setTimeout(() => giveUp(new NoAnswer("TIMEOUT", `no answer within ${timeoutMs / 1000} s`)), Math.ceil(timeoutMs));
  const onAbort = (): void => giveUp(signal?.reason);
  signal?.addEventListener("abort", onAbort, { once: true });
  try {
    sender.dispatch({ origin, path: pathname + search, method, headers: { ...headers }, body: body ?? null }, receiver);
    return await answer;
  } catch (error) {
    throw signal?.aborted ? signal.reason : asNoAnswer(error);
  } finally {
    clearTimeout(timer);
    signal?.removeEventListener("abort", onAbort);
  }
}

type Receiving = {
  readonly answer: Promise<HttpResponse>;
  readonly receiver: Receiver;
  /** Ends the answer and the request, also one that still waits for its connection. */
  readonly giveUp: (reason: unknown) => void;
};

function receiving(maxBytes: number, onSent: HttpRequest["onSent"]): Receiving {
  const { promise: answer, resolve, reject } = Promise.withResolvers<HttpResponse>();
  let [controller, isGivenUp]: [Controller | undefined, boolean] = [undefined, false];
  let [status, headers]: [number, Headers] = [0, {}];
  const chunks: Buffer[] = [];
  let length = 0;
  const giveUp = (reason: unknown): void => {
    isGivenUp = true;
    reject(reason);
    controller?.abort(GIVEN_UP);
  };
  const receiver: Receiver = {
    onRequestStart: (started) => {
      controller = started;
      if (isGivenUp) started.abort(GIVEN_UP);
      else onSent?.();
    },
    onResponseStart: (_, ...head) => ([status, headers] = head),
    onResponseData: (_, chunk) => {
      length += chunk.length;
      if (length > maxBytes) giveUp(new NoAnswer("TOO_LARGE", `the answer is longer than ${maxBytes} bytes`));
      else chunks.push(chunk);
    },
    onResponseEnd: () => resolve({ status, headers: plainHeaders(headers), body: Buffer.concat(chunks) }),
    onResponseError: (_, error) => reject(error),
  };
  return { answer, receiver, giveUp };
}

/** For undici alone; why is told by the answer. */
const GIVEN_UP = new Error("the request was given up");

function plainHeaders(headers: Headers): Readonly<Record<string, string>> {
  return Object.fromEntries(Object.entries(headers).map(([name, value]) => [name, [value ?? ""].flat().join(", ")]));
}
