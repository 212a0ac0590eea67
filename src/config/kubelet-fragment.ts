import { isJsonObject, type JsonObject, type JsonValue } from "../lib/json.ts";
import { type Sourced, sourced } from "../lib/sourced.ts";
import { parseYaml } from "../lib/yaml.ts";
import type { ConfigNote, Problem } from "./problems.ts";
import { quote } from "./setting-values.ts";

export type KubeletFragment =
  | { readonly fragment: Sourced<JsonObject>; readonly notes: readonly ConfigNote[] }
  | { readonly problems: readonly Problem[] };

/**
 * Fields of a KubeletConfiguration, to be merged over others: of --kubelet-config-file, or of eksctl's kubelet-extra.json.
 * JSON or YAML; apiVersion and kind may be left out, and are no part of the result.
 *
 * @param source for the problems and the value table, such as "option --kubelet-config-file (/k.yaml)"
 */
export function parseKubeletFragment(text: string, source: string): KubeletFragment {
  const parsed = parseYaml(text);
  if ("fault" in parsed) return { problems: [{ source, ...lineOf(parsed.line), message: `Cannot read this as JSON or YAML: ${parsed.fault}` }] };
  if (!isJsonObject(parsed.value)) return { problems: [{ source, message: `Cannot use ${nameOf(parsed.value)} as kubelet's configuration: expected a mapping of fields, such as "maxPods: 58".` }] };
  const { fields, faults } = fieldsOfKubelet(parsed.value);
  const problems = faults.map(({ key, message }) => ({ source, ...lineOf(parsed.lineOf([key])), path: key, message }));
  const notes = parsed.remarks.map(({ line, message }) => ({ code: "duplicate-key", message: `${source}, line ${line}: ${message}` }));
  return problems.length > 0 ? { problems } : { fragment: sourced(fields, source), notes };
}

/** The fields without apiVersion and kind, and what is wrong with those. */
export function fieldsOfKubelet({ apiVersion, kind, ...fields }: JsonObject): { readonly fields: JsonObject; readonly faults: readonly TypeFault[] } {
  const faults = [
    ...wrongType("apiVersion", apiVersion, /^kubelet\.config\.k8s\.io\/v\w+$/, "kubelet.config.k8s.io/v1beta1"),
    ...wrongType("kind", kind, /^KubeletConfiguration$/, "KubeletConfiguration"),
  ];
  return { fields, faults };
}

type TypeFault = { readonly key: "apiVersion" | "kind"; readonly message: string };

function wrongType(key: TypeFault["key"], value: JsonValue | undefined, pattern: RegExp, expected: string): TypeFault[] {
  if (value === undefined || (typeof value === "string" && pattern.test(value))) return [];
  return [{ key, message: `Cannot use a document of ${key} ${quote(typeof value === "string" ? value : JSON.stringify(value))} as kubelet's configuration: expected ${quote(expected)}, or no ${key}.` }];
}

function nameOf(value: JsonValue): string {
  if (value === null) return "nothing";
  return Array.isArray(value) ? "a list" : `a ${typeof value}`;
}

function lineOf(line: number | undefined): { line?: number } {
  return line === undefined ? {} : { line };
}
