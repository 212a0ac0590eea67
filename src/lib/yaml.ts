import { Composer, isAlias, isMap, isScalar, isSeq, LineCounter, Parser, visit, type Document, type Pair, type ScalarTag, type Tags, type YAMLMap } from "yaml";
import { isJsonObject, type JsonValue } from "./json.ts";

export type YamlDocument = {
  readonly value: JsonValue;
  /** What a person should know of, such as a key that is there twice. */
  readonly remarks: readonly { readonly line: number; readonly message: string }[];
  /** Line, from 1, of what is at a path of keys and indexes: for a key, of the key. Undefined if there is nothing. */
  readonly lineOf: (path: readonly (string | number)[]) => number | undefined;
};

/** A sentence without the text itself, which may hold secrets. */
export type YamlFault = { readonly fault: string; readonly line?: number };

const LONGEST = 1024 * 1024;
const DEEPEST = 100;
const MOST_VALUES = 100_000;
const MOST_DOCUMENTS = 1000;

/**
 * The only document of a text in YAML, or in JSON, which is YAML too. No text is a null.
 *
 * Texts over 1 MiB, 100 levels, 100 uses of one alias or 100000 values are faults.
 */
export function parseYaml(text: string): YamlDocument | YamlFault {
  const documents = parseYamlDocuments(text);
  const [first = { value: null, remarks: [], lineOf: () => undefined }] = documents;
  return documents.length > 1 ? { fault: `There are ${documents.length} documents where one was expected.` } : first;
}

/** All documents of a text, in order, under the limits of parseYaml for each. More than 1000 documents are one fault. */
export function parseYamlDocuments(text: string): readonly (YamlDocument | YamlFault)[] {
  if (text.length > LONGEST) return [{ fault: `The text is longer than ${LONGEST} characters.` }];
  const lines = new LineCounter();
  const composer = new Composer({ customTags, merge: true, resolveKnownTags: false, intAsBigInt: true, uniqueKeys: false, logLevel: "silent" });
  const documents: (YamlDocument | YamlFault)[] = [];
  for (const document of composer.compose(new Parser(lines.addNewLine).parse(text))) {
    if (documents.length === MOST_DOCUMENTS) return [{ fault: `There are more than ${MOST_DOCUMENTS} documents.` }];
    documents.push(convert(document, lines));
  }
  return documents;
}

// kubelet and nodeadm read YAML by a library that goes by YAML 1.1 here, and their users' files were written for it.
const BOOLEAN_WORDS: ScalarTag = {
  tag: "tag:yaml.org,2002:bool",
  default: true,
  test: /^(?:y|Y|yes|Yes|YES|n|N|no|No|NO|on|On|ON|off|Off|OFF)$/,
  resolve: (word) => /^(?:y|on)/i.test(word),
};
const OCTAL: ScalarTag = {
  tag: "tag:yaml.org,2002:int",
  default: true,
  test: /^0[0-7]+$/,
  resolve: (digits) => BigInt(`0o${digits}`),
};

function customTags(tags: Tags): Tags {
  return [BOOLEAN_WORDS, OCTAL, ...tags];
}

function convert(document: Document.Parsed, lines: LineCounter): YamlDocument | YamlFault {
  const [error] = document.errors;
  if (error !== undefined) return { fault: faultOf(error.code, error.message), line: lines.linePos(error.pos[0]).line };
  try {
    const value = jsonOf(document.toJS({ maxAliasCount: 100 }), 0, { left: MOST_VALUES });
    return { value, remarks: duplicates(document, lines), lineOf: lineFinder(document, lines) };
  } catch (error) {
    if (error instanceof YamlLimit) return { fault: `${error.message}.` };
    // What yaml throws for an alias without its anchor, and for an alias used too often.
    if (error instanceof ReferenceError) return { fault: error.message.startsWith("Excessive") ? "Aliases are used too often." : `${error.message}.` };
    throw error;
  }
}

function faultOf(code: string, message: string): string {
  return code === "RESOURCE_EXHAUSTION" ? "The text is nested too deeply." : `${message.replace(/[.:]?$/, "")}.`;
}

class YamlLimit extends Error {}

function jsonOf(value: unknown, depth: number, values: { left: number }): JsonValue {
  if (depth > DEEPEST) throw new YamlLimit(`The text is nested more than ${DEEPEST} levels deep`);
  if (values.left-- === 0) throw new YamlLimit(`The text holds more than ${MOST_VALUES} values`);
  if (Array.isArray(value)) return value.map((item) => jsonOf(item, depth + 1, values));
  if (isJsonObject(value)) return Object.fromEntries(Object.entries(value).map(([key, item]) => [key, jsonOf(item, depth + 1, values)]));
  if (typeof value === "bigint" || typeof value === "number") return numberOf(value);
  return typeof value === "string" || typeof value === "boolean" ? value : null;
}

function numberOf(value: bigint | number): number {
  const number = Number(value);
  if (!Number.isFinite(number)) throw new YamlLimit(`JSON has no number ${value}`);
  if (typeof value === "bigint" && !Number.isSafeInteger(number)) throw new YamlLimit(`The number ${value} is too large to be kept exactly`);
  return number;
}

function duplicates(document: Document.Parsed, lines: LineCounter): { line: number; message: string }[] {
  const found: { line: number; message: string }[] = [];
  visit(document, {
    Map(_, map) {
      const seen = new Set<string>();
      for (const { key } of map.items) {
        const name = keyOf(key);
        if (seen.has(name) && name !== "<<") found.push({ line: lineAt(key, lines), message: `The key ${JSON.stringify(name)} is there twice; the later value holds.` });
        seen.add(name);
      }
    },
  });
  return found;
}

function lineFinder(document: Document.Parsed, lines: LineCounter): YamlDocument["lineOf"] {
  // A mapping of many keys may be asked about each.
  const pairs = new Map<YAMLMap, ReadonlyMap<string, Pair>>();
  const pairOf = (map: YAMLMap, key: string): Pair | undefined => {
    const known = pairs.get(map) ?? new Map(map.items.map((pair) => [keyOf(pair.key), pair]));
    pairs.set(map, known);
    return known.get(key);
  };
  return (path) => {
    let node: unknown = document.contents;
    let place: unknown = node;
    for (const segment of path) {
      if (isAlias(node)) node = node.resolve(document);
      const pair = isMap(node) ? pairOf(node, String(segment)) : undefined;
      place = isSeq(node) ? node.items[Number(segment)] : pair?.key;
      node = isSeq(node) ? place : pair?.value;
      if (place === undefined) return undefined;
    }
    return lineAt(place, lines);
  };
}

function keyOf(key: unknown): string {
  return isScalar(key) ? String(key.value) : String(key);
}

function lineAt(node: unknown, lines: LineCounter): number {
  const range = hasRange(node) ? node.range : undefined;
  return lines.linePos(range?.[0] ?? 0).line;
}

function hasRange(node: unknown): node is { readonly range?: readonly number[] | null } {
  return typeof node === "object" && node !== null && "range" in node;
}
