import type { JsonObject } from "../lib/json.ts";
import type { NodeConfig } from "./node-config.ts";
import type { ConfigNote, Leniency, Problem } from "./problems.ts";

/** A document as one of the sources gave it, already parsed as YAML. */
export type ConfigDocument = {
  readonly value: JsonObject;
  /** "user-data part 2" */
  readonly source: string;
  readonly lineOf: (path: readonly (string | number)[]) => number | undefined;
};

/** What a document asks for; everything wrong with it is in the problems, at once. */
export type ParsedDocument = {
  readonly config: NodeConfig;
  readonly problems: readonly Problem[];
  readonly leniencies: readonly Leniency[];
  readonly notes: readonly ConfigNote[];
};

/** How documents of one version become the one NodeConfig that all else works with. */
export type DocumentParser = (document: ConfigDocument) => ParsedDocument;
