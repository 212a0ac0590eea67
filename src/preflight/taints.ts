import type { Finding } from "./finding.ts";
import { alternatives, quote } from "./finding.ts";
import { KEY_SYNTAX, VALUE_SYNTAX, isLabelValue, isQualifiedName } from "./qualified-name.ts";

export type NodeTaint = {
  readonly key: string;
  readonly value: string;
  readonly effect: string;
  /** Only an API server may set it. */
  readonly timeAdded?: string;
  readonly source: string;
};

const EFFECTS: readonly string[] = ["NoSchedule", "PreferNoSchedule", "NoExecute"];

/** What kubelet refuses of the taints that the node registers with. */
export function checkTaints(taints: readonly NodeTaint[]): readonly Finding[] {
  return [...taints.flatMap(checkTaint), ...checkRepetition(taints)];
}

function checkTaint(taint: NodeTaint): readonly Finding[] {
  const { key, value, effect, timeAdded } = taint;
  const name = quote(showTaint(taint));
  const complaints: string[] = [];
  if (!isQualifiedName(key)) complaints.push(`Cannot use ${quote(key)} as the key of taint ${name}: expected ${KEY_SYNTAX}`);
  if (!isLabelValue(value)) complaints.push(`Cannot use ${quote(value)} as the value of taint ${name}: expected ${VALUE_SYNTAX}`);
  if (!EFFECTS.includes(effect)) complaints.push(`Cannot use ${quote(effect)} as the effect of taint ${name}: expected ${alternatives(EFFECTS)}`);
  if (timeAdded !== undefined) complaints.push(`Cannot register with taint ${name}: its timeAdded is for the cluster to set`);
  return complaints.map((message) => finding(message, taint.source));
}

function checkRepetition(taints: readonly NodeTaint[]): readonly Finding[] {
  const seen = new Set<string>();
  return taints.flatMap((taint) => {
    const identity = `${taint.key}:${taint.effect}`;
    if (!seen.has(identity)) {
      seen.add(identity);
      return [];
    }
    return [finding(`Cannot register with taint ${quote(showTaint(taint))}: there is already one with this key and effect`, taint.source)];
  });
}

function finding(message: string, source: string): Finding {
  return { severity: "error", code: "taint", message, source, remedy: "Correct the taint: key=value:effect." };
}

function showTaint({ key, value, effect }: NodeTaint): string {
  return `${key}${value === "" ? "" : `=${value}`}:${effect}`;
}

/** The taints of one `--register-with-taints` ("key=value:effect,key:effect"), or what is wrong with its form. */
export function parseTaints(text: string): readonly Omit<NodeTaint, "source">[] | { readonly expected: string } {
  const taints = text.split(",").filter((item) => item !== "").map(parseTaint);
  return taints.some((taint) => taint === undefined) ? { expected: "key=value:effect, separated by commas" } : taints.filter((taint) => taint !== undefined);
}

function parseTaint(text: string): Omit<NodeTaint, "source"> | undefined {
  const match = /^([^=:]*)(?:=([^=:]*))?:([^:]*)$/.exec(text);
  return match === null ? undefined : { key: match[1] ?? "", value: match[2] ?? "", effect: match[3] ?? "" };
}
