import { parseDuration } from "../lib/duration.ts";
import type { JsonValue } from "../lib/json.ts";
import { parseQuantity } from "../lib/quantity.ts";
import { parseTaints } from "./taints.ts";

/** A flag's value as KubeletConfiguration would hold it, or what kubelet expects instead, for the end of a sentence. */
export type FlagValue = { readonly value: JsonValue } | { readonly expected: string };

/** Reads the text after `--name=` by the type that the table of flags gives; kubelet ends on what this cannot read. */
export function parseFlagValue(name: string, type: string, text: string): FlagValue {
  const parse = BY_NAME[name] ?? BY_TYPE[type] ?? BY_TYPE[type.replace(/ \(.*/, "")] ?? parseText;
  return parse(text);
}

/** Whether the flag may stand alone, which is the same as the value true. */
export function mayStandAlone(type: string): boolean {
  return type.startsWith("bool");
}

const BY_NAME: Readonly<Record<string, (text: string) => FlagValue>> = {
  // A label may be a key alone, and a value may hold "=".
  "node-labels": (text) => ({ value: Object.fromEntries(items(text).map((item) => splitAt(item, "=") ?? [item, ""])) }),
};

const BY_TYPE: Readonly<Record<string, (text: string) => FlagValue>> = {
  bool: parseBool,
  'bool|"raw" (1.28+ also vX.Y.Z)': (text) => (text === "raw" || /^v\d/.test(text) ? { value: text } : parseBool(text)),
  int: (text) => parseWhole(text, -(2n ** 63n), 2n ** 63n - 1n),
  int32: (text) => parseWhole(text, -(2n ** 31n), 2n ** 31n - 1n),
  int64: (text) => parseWhole(text, -(2n ** 63n), 2n ** 63n - 1n),
  uint64: (text) => parseWhole(text, 0n, 2n ** 64n - 1n),
  "int|INFO|WARNING|ERROR|FATAL": (text) => (SEVERITIES.includes(text.toUpperCase()) ? { value: text } : parseWhole(text, -(2n ** 31n), 2n ** 31n - 1n)),
  float64: (text) => (/^[+-]?(\d+\.?\d*|\.\d+)([eE][+-]?\d+)?$/.test(text) ? { value: Number(text) } : { expected: "a number" }),
  duration: (text) => (parseDuration(text) === undefined ? { expected: 'a duration such as "1m30s"' } : { value: text }),
  quantity: (text) => (parseQuantity(text) === undefined ? { expected: 'a quantity such as "100Mi"' } : { value: text }),
  ip: (text) => (text === "" || isAddress(text.trim()) ? { value: text.trim() } : { expected: "an IP address" }),
  "list<string>": (text) => ({ value: items(text) }),
  "list<taint>": (text) => taintsValue(parseTaints(text)),
  "list (numa:type=qty[,type=qty][;...])": parseReservedMemory,
  "list (pattern=N,...)": parseModules,
  "map<string,string>": (text) => parseMap(text, "="),
  "map<string,string> (k<v)": (text) => parseMap(text, "<"),
  "map<string,list<string>> (k:v)": (text) => parseMap(text, ":", (value) => ({ value: [value] })),
  "map<string,bool>": (text) => parseMap(text, "=", parseBool),
};

const SEVERITIES = ["INFO", "WARNING", "ERROR", "FATAL"];

function parseText(text: string): FlagValue {
  return { value: text };
}

/** Source: Go's strconv.ParseBool. */
function parseBool(text: string): FlagValue {
  if (/^(1|t|T|TRUE|true|True)$/.test(text)) return { value: true };
  if (/^(0|f|F|FALSE|false|False)$/.test(text)) return { value: false };
  return { expected: "true or false" };
}

/** Source: Go's strconv.ParseInt with base 0, so that 010 is eight. */
function parseWhole(text: string, least: bigint, most: bigint): FlagValue {
  const match = /^([+-]?)(0[xX][0-9a-fA-F]+|0[bB][01]+|0[oO]?[0-7]+|0|[1-9]\d{0,30})$/.exec(text);
  if (match === null) return { expected: "a whole number" };
  const digits = (match[2] ?? "").replace(/^0(?=[0-7])/, "0o");
  const value = match[1] === "-" ? -BigInt(digits) : BigInt(digits);
  return value < least || value > most ? { expected: `a whole number from ${least} to ${most}` } : { value: Number(value) };
}

/** Whether it looks like an address; kubelet itself takes leading zeros. */
function isAddress(text: string): boolean {
  const isIpv4 = /^\d{1,3}(\.\d{1,3}){3}$/.test(text) && text.split(".").every((part) => Number(part) < 256);
  return isIpv4 || (/^[0-9a-fA-F:.]{2,45}$/.test(text) && text.split(":").length > 2);
}

/** "k=v,k=v"; `separator` stands between key and value, and each value goes through `parse`. */
function parseMap(text: string, separator: string, parse: (text: string) => FlagValue = parseText): FlagValue {
  const map: Record<string, JsonValue> = {};
  for (const item of items(text)) {
    const pair = splitAt(item, separator);
    if (pair === undefined) return { expected: `pairs such as "key${separator}value", separated by commas` };
    const parsed = parse(pair[1].trim());
    if ("expected" in parsed) return { expected: `${parsed.expected} for ${JSON.stringify(pair[0].trim())}` };
    map[pair[0].trim()] = parsed.value;
  }
  return { value: map };
}

/** "0:memory=1Gi,hugepages-1Gi=1Gi;1:memory=1Gi" */
function parseReservedMemory(text: string): FlagValue {
  const nodes: JsonValue[] = [];
  for (const item of text.split(";").filter((part) => part !== "")) {
    const pair = splitAt(item, ":");
    const limits = pair === undefined ? undefined : parseMap(pair[1], "=");
    if (pair === undefined || !/^\d+$/.test(pair[0]) || limits === undefined || "expected" in limits) {
      return { expected: 'one "NODE:TYPE=QUANTITY,…" for each NUMA node, separated by semicolons' };
    }
    nodes.push({ numaNode: Number(pair[0]), limits: limits.value });
  }
  return { value: nodes };
}

/** "file=2,other*=3" */
function parseModules(text: string): FlagValue {
  const modules: JsonValue[] = [];
  for (const item of items(text)) {
    const pair = splitAt(item, "=");
    if (pair === undefined || !/^\d{1,10}$/.test(pair[1])) return { expected: 'pairs such as "file=2", separated by commas' };
    modules.push({ filePattern: pair[0], verbosity: Number(pair[1]) });
  }
  return { value: modules };
}

function taintsValue(taints: ReturnType<typeof parseTaints>): FlagValue {
  return "expected" in taints ? taints : { value: taints.map(({ key, value, effect }) => ({ key, value, effect })) };
}

function items(text: string): readonly string[] {
  return text.split(",").map((item) => item.trim()).filter((item) => item !== "");
}

function splitAt(text: string, separator: string): readonly [string, string] | undefined {
  const at = text.indexOf(separator);
  return at === -1 ? undefined : [text.slice(0, at), text.slice(at + separator.length)];
}
