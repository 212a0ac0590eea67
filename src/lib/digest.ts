import { createHash } from "node:crypto";
import { canonicalJson, parseJson } from "./json.ts";

/** How two contents are said to be the same: byte for byte, or as the same JSON value however it is written. */
export type ComparedAs = "bytes" | "json";

/**
 * A name for the contents of a file, "sha256:" and 64 hex digits, equal for contents that compare as the same. Contents
 * compared as JSON that are no JSON have the digest of their bytes.
 */
export function digestContents(contents: string, comparedAs: ComparedAs): string {
  return digest(comparedAs === "json" ? canonicalText(contents) : contents);
}

/** A digest of the parts in their order: no two different lists have the same, however their parts are cut. */
export function digestParts(parts: readonly string[]): string {
  return digest(JSON.stringify(parts));
}

function digest(text: string): string {
  return `sha256:${createHash("sha256").update(text).digest("hex")}`;
}

function canonicalText(contents: string): string {
  const value = parseJson(contents);
  return value === undefined ? contents : JSON.stringify(canonicalJson(value));
}
