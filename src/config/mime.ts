import { type Headers, mediaTypeOf, parseHeaders } from "./mime-headers.ts";
import { quote } from "./setting-values.ts";

/** A part of a MIME text, or a text that is one part. Of bytes, each is a character of the body. */
export type MimePart = {
  /** From 1, all parts counted; undefined for a text that has no parts. */
  readonly number: number | undefined;
  readonly headers: Headers;
  /** What should end the part and does not, because the text ends before. */
  readonly missingEnd: string | undefined;
};

/** A fault is a sentence that names the rule that is broken. */
export type Mime = { readonly parts: readonly MimePart[] } | { readonly fault: string };

/**
 * The parts of a MIME text as cloud-init's user data has them; undefined for a text that is no MIME. A text before the first
 * part, and one after the last, means nothing.
 *
 * @param text one character for each byte
 */
export function parseMime(text: string): Mime | undefined {
  const headers = parseHeaders(withoutTop(text));
  if (!headers.fields.has("content-type") && !headers.fields.has("mime-version")) return undefined;
  if (headers.stray !== undefined) return { fault: `Cannot read the headers at its top: ${quote(headers.stray)} is no header. A blank line must stand between them and the first part.` };
  const { type, parameters } = mediaTypeOf(headers);
  if (!type.startsWith("multipart/")) return { parts: [{ number: undefined, headers, missingEnd: undefined }] };
  const boundary = parameters.get("boundary") ?? "";
  return boundary === "" ? { fault: `Cannot split it into parts: its Content-Type, ${type}, names no boundary.` } : split(headers.body, boundary);
}

/** A byte order mark, blank lines, and the line that begins a message in a mailbox. */
function withoutTop(text: string): string {
  return text.replace(/^(?:\xef\xbb\xbf)?\s*/, "").replace(/^From .*\n/, "");
}

/** Enough for every tool, and few enough to look at each. */
const MOST_PARTS = 1000;

function split(body: string, boundary: string): Mime {
  const delimiters = [...body.matchAll(delimiterOf(boundary))];
  const closing = delimiters.findIndex(([, dashes]) => dashes !== undefined);
  const opening = closing === -1 ? delimiters : delimiters.slice(0, closing);
  if (opening.length === 0) return { fault: `Cannot split it into parts: no line is ${quote(`--${boundary}`)}, which begins one.` };
  if (opening.length > MOST_PARTS) return { fault: `Cannot split it into parts: there are more than ${MOST_PARTS}.` };
  return {
    parts: opening.map(({ 0: delimiter, index }, position) => {
      const next = delimiters[position + 1];
      const content = body.slice(index + delimiter.length, next?.index).replace(/^\r?\n/, "");
      return { number: position + 1, headers: parseHeaders(content), missingEnd: next === undefined ? `--${boundary}--` : undefined };
    }),
  };
}

/** The line break before a delimiter belongs to it, and not to the part. */
function delimiterOf(boundary: string): RegExp {
  const literal = boundary.replace(/[\\^$.*+?()[\]{}|/-]/g, "\\$&");
  return new RegExp(`(?:^|\\r?\\n)--${literal}(--)?[ \\t]*(?=\\r?\\n|$)`, "g");
}
