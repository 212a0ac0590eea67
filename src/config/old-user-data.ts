import { readCloudConfig } from "./cloud-config.ts";
import { parseConfigText } from "./config-text.ts";
import { decodeUtf8, unwrap } from "./inflate.ts";
import { type ConfigLayer, EMPTY_LAYER, joinLayers, unreadable } from "./layer.ts";
import { KEEP } from "./loss.ts";
import { type MimePart, parseMime } from "./mime.ts";
import { mediaTypeOf } from "./mime-headers.ts";
import { EMPTY_READING, joinReadings, readScript, type ScriptReading } from "./script.ts";
import { decodeBody } from "./user-data.ts";

/** What was found to migrate: configuration that is one already, calls of bootstrap.sh, and what no NodeConfig can do. */
export type OldConfig = ScriptReading & { readonly layer: ConfigLayer };

/**
 * User data as it was written for bootstrap.sh, eksctl or nodeadm: a script, a cloud-config or NodeConfigs, or a MIME multi-part of
 * them, in base64, gzip or both.
 */
export function readOldUserData(bytes: Buffer, source: string): OldConfig {
  const unwrapped = unwrap(bytes);
  if ("fault" in unwrapped) return unusable(source, `Cannot read it: ${unwrapped.fault}.`);
  const mime = parseMime(unwrapped.bytes.toString("latin1"));
  if (mime === undefined) return readText(unwrapped.bytes, source);
  if ("fault" in mime) return unusable(source, mime.fault);
  return joinOldConfigs(mime.parts.map((part) => readPart(part, source)));
}

function joinOldConfigs(all: readonly OldConfig[]): OldConfig {
  return { ...joinReadings(all), layer: joinLayers(all.map(({ layer }) => layer)) };
}

function unusable(source: string, message: string): OldConfig {
  return { ...EMPTY_READING, layer: unreadable({ source, message }) };
}

function readPart({ number, headers, missingEnd }: MimePart, whole: string): OldConfig {
  const source = number === undefined ? whole : `${whole} part ${number}`;
  if (headers.stray !== undefined || missingEnd !== undefined) return unusable(source, "Cannot read it: it is cut off, or no blank line stands between its headers and its content.");
  const decoded = decodeBody(headers.body, headers.fields.get("content-transfer-encoding")?.toLowerCase() ?? "8bit");
  const unwrapped = "fault" in decoded ? decoded : unwrap(decoded.bytes);
  if ("fault" in unwrapped) return unusable(source, `Cannot read it: ${unwrapped.fault}.`);
  return readText(unwrapped.bytes, source, mediaTypeOf(headers).type);
}

const CLOUD_CONFIG = /^(?:\s*## template:.*\n)?\s*#cloud-config\b/;

/** By how it begins, as cloud-init judges; it may have been kept without its first line. */
function readText(bytes: Buffer, source: string, type = ""): OldConfig {
  const text = decodeUtf8(bytes)?.replaceAll("\r\n", "\n");
  if (text === undefined) return { ...EMPTY_READING, layer: EMPTY_LAYER, losses: [{ what: `${source}: ${bytes.length} bytes that are no text`, instead: KEEP }] };
  if (type === "application/node.eks.aws") return { ...EMPTY_READING, layer: parseConfigText({ source, text, givenAs: "node-config-part" }) };
  if (CLOUD_CONFIG.test(text)) return readAsCloudConfig(text, source);
  if (/^#!/.test(text)) return readAsScript(text, source);
  const layer = parseConfigText({ source, text, givenAs: "user-data" });
  return layer.inputs.length > 0 || layer.problems.length > 0 ? { ...EMPTY_READING, layer } : readAsScript(text, source);
}

function readAsCloudConfig(text: string, source: string): OldConfig {
  const read = readCloudConfig(text, source);
  if (read === undefined) return unusable(source, "Cannot read this cloud-config: it is no YAML of names and values.");
  const isTemplate = /^\s*## template:/.test(text) && /\{[{%]/.test(text);
  return isTemplate ? { ...read, losses: [{ what: `${source}: a template with variables of cloud-init's`, instead: FILL_IN }, ...read.losses] } : read;
}

const FILL_IN = "They are copied as they stand. Write the values in their place, or give the words of the call, with the values, to `eks-node-agent migrate --`.";

function readAsScript(text: string, source: string): OldConfig {
  return { ...readScript(text, source), layer: EMPTY_LAYER };
}
