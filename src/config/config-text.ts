import { isJsonObject, type JsonValue } from "../lib/json.ts";
import { parseYamlDocuments, type YamlDocument, type YamlFault } from "../lib/yaml.ts";
import { EMPTY_LAYER, type ConfigLayer, joinLayers, layerOf, unreadable } from "./layer.ts";
import type { Leniency, Problem } from "./problems.ts";
import { quote } from "./setting-values.ts";
import { NODE_CONFIG_VERSIONS } from "./versions.ts";

/** A text that may hold NodeConfig documents. */
export type ConfigText = {
  /** "user-data part 2", "file /etc/eks/nodeadm.d/10.yaml" */
  readonly source: string;
  readonly text: string;
  /** What it was given as, which says what a document that is no NodeConfig means. */
  readonly givenAs: GivenAs;
};

/**
 * A file of configuration holds NodeConfigs alone. A part of user data that says that it is one holds one, though a peer would
 * not mind. Other user data may be anything, such as a script.
 */
export type GivenAs = "file" | "node-config-part" | "user-data";

const GROUP = "node.eks.aws";
const KIND = "NodeConfig";

/** What the NodeConfigs of a text ask for, all together. */
export function parseConfigText({ source, text, givenAs }: ConfigText): ConfigLayer {
  if (givenAs === "user-data" && !mayHoldNodeConfig(text)) return EMPTY_LAYER;
  const documents = parseYamlDocuments(text).filter((document) => "fault" in document || document.value !== null);
  const nameOf = (index: number): string => (documents.length > 1 ? `${source} document ${index + 1}` : source);
  return joinLayers(documents.map((document, index) => layerOfDocument(document, nameOf(index), givenAs)));
}

/** What cloud-init runs or reads itself; it may write a NodeConfig to a file, which is then another source. */
const CLOUD_INIT = /^\s*#(?:!|cloud-|include|upstart-job|part-handler|# template)/;

/** So that no more than this is done with what is not for us. */
function mayHoldNodeConfig(text: string): boolean {
  return text.includes(GROUP) && !CLOUD_INIT.test(text);
}

function layerOfDocument(document: YamlDocument | YamlFault, source: string, givenAs: GivenAs): ConfigLayer {
  if ("fault" in document) return unreadable(problemAt(source, undefined, document.line, `Cannot read this as YAML or JSON: ${document.fault}`));
  const identity = identityOf(document.value);
  if (!isJsonObject(document.value) || identity.kind !== KIND || !identity.apiVersion.startsWith(`${GROUP}/`)) return layerOfForeign(document, source, givenAs);
  const parse = NODE_CONFIG_VERSIONS.get(identity.apiVersion);
  if (parse === undefined) return layerOf({ problems: [unknownVersion(identity.apiVersion, document, source)] });
  const { leniencies, ...parsed } = parse({ value: document.value, source, lineOf: document.lineOf });
  const duplicates = document.remarks.map(({ line, message }) => ({ code: "duplicate-key", source, line, message }));
  return layerOf({ inputs: [source], ...parsed, leniencies: shorten([...duplicates, ...leniencies], source) });
}

/** Nobody reads more, and a hostile document may be full of them. */
const MOST_LENIENCIES = 100;

function shorten(leniencies: readonly Leniency[], source: string): readonly Leniency[] {
  const left = leniencies.length - MOST_LENIENCIES;
  return left <= 0 ? leniencies : [...leniencies.slice(0, MOST_LENIENCIES), { code: "more-of-this", source, message: `There is more of this: ${left} remarks are left out.` }];
}

/** "" for what is not there or no text. */
function identityOf(document: JsonValue): { readonly apiVersion: string; readonly kind: string } {
  const textAt = (key: string): string => {
    const value = isJsonObject(document) ? document[key] : undefined;
    return typeof value === "string" ? value : "";
  };
  return { apiVersion: textAt("apiVersion"), kind: textAt("kind") };
}

function unknownVersion(apiVersion: string, { lineOf }: YamlDocument, source: string): Problem {
  const known = [...NODE_CONFIG_VERSIONS.keys()].join(", ");
  return problemAt(source, "apiVersion", lineOf(["apiVersion"]), `Cannot use a NodeConfig of ${quote(apiVersion)}: this version of the agent knows ${known}.`);
}

function layerOfForeign(document: YamlDocument, source: string, givenAs: GivenAs): ConfigLayer {
  const identity = identityOf(document.value);
  const isMisspelt = identity.apiVersion.startsWith(`${GROUP}/`) || identity.kind === KIND;
  if (givenAs === "user-data" && !isMisspelt) return EMPTY_LAYER;
  const found = identity.apiVersion === "" && identity.kind === "" ? "neither" : `${nameOf("apiVersion", identity.apiVersion)} and ${nameOf("kind", identity.kind)}`;
  const [version = ""] = NODE_CONFIG_VERSIONS.keys();
  const problem = problemAt(source, undefined, undefined, `This document is no NodeConfig, so it does nothing: expected apiVersion: ${version} and kind: ${KIND}, and there is ${found}.`);
  return givenAs === "file" ? layerOf({ problems: [problem] }) : layerOf({ leniencies: [{ code: "no-node-config", ...problem }] });
}

function nameOf(key: string, value: string): string {
  return value === "" ? `no ${key}` : `${key} ${quote(value)}`;
}

function problemAt(source: string, path: string | undefined, line: number | undefined, message: string): Problem {
  return { source, ...(path !== undefined && { path }), ...(line !== undefined && { line }), message };
}
