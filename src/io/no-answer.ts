import { errnoOf } from "../errors.ts";

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
export function asNoAnswer(error: unknown): unknown {
  const code = errnoOf(error);
  if (error instanceof NoAnswer || !(error instanceof Error) || code === undefined || BUGS.includes(code)) return error;
  return new NoAnswer(code, REASONS[code] ?? `${error.message} (${code})`, error);
}

const BUGS = ["UND_ERR_INVALID_ARG", "ERR_INVALID_URL", "ERR_INVALID_ARG_TYPE", "ERR_INVALID_ARG_VALUE"];
