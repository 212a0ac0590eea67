import type { EffectiveConfig } from "./effective-config.ts";
import { objectsAt } from "./effective-config.ts";
import type { KubeletArgument } from "./finding.ts";
import type { NodeLabel } from "./labels.ts";
import { parseTaints } from "./taints.ts";
import type { NodeTaint } from "./taints.ts";

/** The labels of all --node-labels; a key without "=" has an empty value. */
export function labelsOf(flags: readonly KubeletArgument[]): readonly NodeLabel[] {
  return flags.filter(({ name }) => isNamed(name, "node-labels")).flatMap(({ value = "", source }) => {
    const items = value.split(",").map((item) => item.trim()).filter((item) => item !== "");
    return items.map((item) => ({ key: item.split("=", 1)[0] ?? "", value: item.includes("=") ? item.slice(item.indexOf("=") + 1) : "", source }));
  });
}

/** The taints of the last --register-with-taints, or of the configuration: the flag replaces its list. */
export function taintsOf(config: EffectiveConfig, flags: readonly KubeletArgument[]): readonly NodeTaint[] {
  const flag = flags.findLast(({ name }) => isNamed(name, "register-with-taints"));
  return flag === undefined ? taintsOfConfig(config) : taintsOfFlag(flag);
}

/** Of a flag that cannot be read there are none: the check of flags reports it. */
function taintsOfFlag({ value = "", source }: KubeletArgument): readonly NodeTaint[] {
  const taints = parseTaints(value);
  return "expected" in taints ? [] : taints.map((taint) => ({ ...taint, source }));
}

function taintsOfConfig(config: EffectiveConfig): readonly NodeTaint[] {
  const source = config.origin("registerWithTaints")?.source ?? "";
  return objectsAt(config, "registerWithTaints").map((taint) => ({
    key: text(taint["key"]),
    value: text(taint["value"]),
    effect: text(taint["effect"]),
    ...(typeof taint["timeAdded"] === "string" ? { timeAdded: taint["timeAdded"] } : {}),
    source,
  }));
}

/** Values of other types are reported by the check of the configuration's types. */
function text(value: unknown): string {
  return typeof value === "string" ? value : "";
}

function isNamed(name: string, flag: string): boolean {
  return name.replaceAll("_", "-") === flag;
}
