import { gunzipSync } from "node:zlib";
import { errnoOf } from "../errors.ts";

/** A fault is a sentence that begins with "it". */
export type Unwrapped = { readonly bytes: Buffer } | { readonly fault: string };

/** More than any configuration is, and little enough to hold. */
const LARGEST_BYTES = 8 * 1024 * 1024;

/** A gzip can inflate to itself. */
const MOST_LAYERS = 4;

/** The bytes inside any mix of base64 and gzip, which user data is wrapped in by its tools, knowingly or not. */
export function unwrap(bytes: Buffer, layers = MOST_LAYERS): Unwrapped {
  const inner = isGzip(bytes) ? inflate(bytes) : decodeWholeBase64(bytes);
  if (inner === undefined) return { bytes };
  if ("fault" in inner) return inner;
  return layers === 1 ? { fault: `it is wrapped in base64 or gzip more than ${MOST_LAYERS} times` } : unwrap(inner.bytes, layers - 1);
}

/** The bytes that base64 stands for, with any white space and with or without padding; undefined for anything else. */
export function decodeBase64(text: string): Buffer | undefined {
  const digits = text.replace(/\s+/g, "").replace(/={1,2}$/, "");
  return /^[A-Za-z0-9+/]*$/.test(digits) && digits.length % 4 !== 1 ? Buffer.from(digits, "base64") : undefined;
}

/** Text in UTF-8 without its byte order mark; undefined for bytes that are none. */
export function decodeUtf8(bytes: Buffer): string | undefined {
  try {
    return new TextDecoder("utf-8", { fatal: true }).decode(bytes);
  } catch {
    return undefined;
  }
}

function isGzip(bytes: Buffer): boolean {
  return bytes[0] === 0x1f && bytes[1] === 0x8b;
}

/** Stops at the limit: what a few bytes inflate to is not known before. */
function inflate(bytes: Buffer): Unwrapped {
  try {
    return { bytes: gunzipSync(bytes, { maxOutputLength: LARGEST_BYTES }) };
  } catch (error) {
    const code = errnoOf(error);
    if (code === undefined) throw error;
    if (code === "ERR_BUFFER_TOO_LARGE") return { fault: `it inflates to more than ${LARGEST_BYTES} bytes` };
    return { fault: `it is gzip that is cut off or damaged (${code})` };
  }
}

/** A word such as "true" is base64 too, but not of anything that configures a node. */
function decodeWholeBase64(bytes: Buffer): Unwrapped | undefined {
  const decoded = decodeBase64(bytes.toString("latin1"));
  if (decoded === undefined || decoded.length === 0) return undefined;
  return isGzip(decoded) || isText(decoded) ? { bytes: decoded } : undefined;
}

function isText(bytes: Buffer): boolean {
  return !bytes.includes(0) && decodeUtf8(bytes) !== undefined;
}
