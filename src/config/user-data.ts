import { parseConfigText } from "./config-text.ts";
import { decodeBase64, decodeUtf8, unwrap } from "./inflate.ts";
import { EMPTY_LAYER, type ConfigLayer, joinLayers, layerOf, unreadable } from "./layer.ts";
import { type MimePart, parseMime } from "./mime.ts";
import { mediaTypeOf } from "./mime-headers.ts";
import { quote } from "./setting-values.ts";

const NODE_CONFIG_TYPE = "application/node.eks.aws";

/**
 * What the NodeConfigs in user data ask for: raw, in base64, in gzip or both; a document, some documents, or a MIME
 * multi-part of which one or more parts are documents. Anything else says nothing.
 *
 * @param source what it is called
 */
export function parseUserData(bytes: Buffer, source = "user-data"): ConfigLayer {
  const unwrapped = unwrap(bytes);
  if ("fault" in unwrapped) return unreadable({ source, message: `Cannot read it: ${unwrapped.fault}.` });
  const mime = parseMime(unwrapped.bytes.toString("latin1"));
  if (mime === undefined) return parsePlain(unwrapped.bytes, source);
  if ("fault" in mime) return unreadable({ source, message: mime.fault });
  return joinLayers(mime.parts.map((part) => parsePart(part, source)));
}

function parsePlain(bytes: Buffer, source: string): ConfigLayer {
  const text = decodeUtf8(bytes);
  return text === undefined ? EMPTY_LAYER : parseConfigText({ source, text, givenAs: "user-data" });
}

function parsePart(part: MimePart, whole: string): ConfigLayer {
  const source = part.number === undefined ? whole : `${whole} part ${part.number}`;
  const { type } = mediaTypeOf(part.headers);
  if (type === NODE_CONFIG_TYPE || isUntypedNodeConfig(type, part)) return parseNodeConfigPart(part, source);
  return layerOf({ leniencies: remarksOn(part, type).map((remark) => ({ source, ...remark })) });
}

/** Where the blank line after the headers is missing, or all of the headers are. */
function isUntypedNodeConfig(type: string, { headers: { stray } }: MimePart): boolean {
  return type === "" && /^apiVersion:[ \t]*node\.eks\.aws\b/.test(stray ?? "");
}

function parseNodeConfigPart({ headers, missingEnd }: MimePart, source: string): ConfigLayer {
  if (headers.stray !== undefined) return unreadable({ source, message: `Cannot read its headers: ${quote(headers.stray)} is no header. A blank line must stand between a part's headers and its content.` });
  if (missingEnd !== undefined) return unreadable({ source, message: `Cannot read it: no line ${quote(missingEnd)} ends it, so it may be cut off.` });
  const decoded = decodeBody(headers.body, headers.fields.get("content-transfer-encoding")?.toLowerCase() ?? "8bit");
  const unwrapped = "fault" in decoded ? decoded : unwrap(decoded.bytes);
  if ("fault" in unwrapped) return unreadable({ source, message: `Cannot read it: ${unwrapped.fault}.` });
  const text = decodeUtf8(unwrapped.bytes);
  return text === undefined ? unreadable({ source, message: "Cannot read it: it is no text in UTF-8." }) : parseConfigText({ source, text, givenAs: "node-config-part" });
}

/** The bytes that a part of MIME stands for, whichever way they are written. A fault is a sentence that begins with "it". */
export function decodeBody(body: string, encoding: string): { readonly bytes: Buffer } | { readonly fault: string } {
  const decoder = DECODERS.get(encoding);
  if (decoder === undefined) return { fault: `its Content-Transfer-Encoding is ${quote(encoding)}, and expected is base64, quoted-printable, 7bit, 8bit or binary` };
  const bytes = decoder(body);
  return bytes === undefined ? { fault: `it is not ${encoding}, although its Content-Transfer-Encoding says so` } : { bytes };
}

const asItIs = (body: string): Buffer => Buffer.from(body, "latin1");

const DECODERS: ReadonlyMap<string, (body: string) => Buffer | undefined> = new Map([
  ["7bit", asItIs],
  ["8bit", asItIs],
  ["binary", asItIs],
  ["base64", decodeBase64],
  ["quoted-printable", (body) => asItIs(body.replace(/=[ \t]*\r?\n/g, "").replace(/=([0-9A-Fa-f]{2})/g, (_, hex: string) => String.fromCharCode(parseInt(hex, 16))))],
]);

type Remark = { readonly code: string; readonly message: string };

function remarksOn({ headers, missingEnd }: MimePart, type: string): readonly Remark[] {
  const mistyped = `It looks like a NodeConfig and does nothing, because its type is ${quote(type)}: a NodeConfig's Content-Type is ${NODE_CONFIG_TYPE}.`;
  const unended = `No line ${quote(missingEnd ?? "")} ends it, so it may be cut off.`;
  return [
    ...(/^\s*apiVersion:\s*node\.eks\.aws\//.test(headers.body) ? [{ code: "mime-type", message: mistyped }] : []),
    ...(missingEnd === undefined ? [] : [{ code: "mime-end", message: unended }]),
  ];
}
