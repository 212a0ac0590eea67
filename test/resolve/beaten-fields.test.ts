import { describe, expect, it } from "vitest";
import type { JsonObject } from "../../src/lib/json.ts";
import { mergeJson } from "../../src/lib/merge-json.ts";
import { sourced } from "../../src/lib/sourced.ts";
import { noteBeatenFields } from "../../src/resolve/beaten-fields.ts";
import { CONFIG_FILE, EXTRA_ARGS, noted, userArguments } from "./fixture.ts";

function notes(config: JsonObject, ...words: readonly string[]): readonly string[] {
  const userConfig = mergeJson([sourced(config, CONFIG_FILE)]);
  return noted((add) => noteBeatenFields(userArguments(...words).arguments, userConfig, add)).notes.map(({ message }) => message);
}

const beaten = (field: string, flag: string): string =>
  `The kubelet configuration's ${field} (${CONFIG_FILE}) has no effect, since the flag ${flag} (${EXTRA_ARGS}) beats it.`;

describe("a field of the operator's that a flag of the operator's beats is noted", () => {
  it.each<[string, JsonObject, readonly string[], string]>([
    ["a scalar", { maxPods: 30 }, ["--max-pods=20"], beaten("maxPods 30", "--max-pods=20")],
    ["a nested one", { authentication: { anonymous: { enabled: true } } }, ["--anonymous-auth=false"], beaten("authentication.anonymous.enabled true", "--anonymous-auth=false")],
    ["a bool flag alone", { protectKernelDefaults: false }, ["--protect-kernel-defaults"], beaten("protectKernelDefaults false", "--protect-kernel-defaults=true")],
    ["a map, as a whole", { kubeReserved: { cpu: "1", memory: "1Gi" } }, ["--kube-reserved=cpu=2"], beaten('kubeReserved {"cpu":"1","memory":"1Gi"}', "--kube-reserved=cpu=2")],
    ["a list", { clusterDNS: ["10.0.0.10"] }, ["--cluster-dns=10.0.0.11"], beaten('clusterDNS ["10.0.0.10"]', "--cluster-dns=10.0.0.11")],
    ["by the last of repeated flags, once", { maxPods: 30 }, ["--max-pods=20", "--max-pods=21"], beaten("maxPods 30", "--max-pods=21")],
    ["by flags that add up, together", { clusterDNS: ["10.0.0.10"] }, ["--cluster-dns=10.0.0.11", "--cluster-dns=10.0.0.12"], beaten('clusterDNS ["10.0.0.10"]', "--cluster-dns=10.0.0.11,10.0.0.12")],
    ["a feature gate by itself", { featureGates: { A: true, B: true } }, ["--feature-gates=A=false,C=true"], beaten("featureGates.A true", "--feature-gates=A=false")],
  ])("%s", (_, config, words, note) => {
    expect(notes(config, ...words)).toEqual([note]);
  });

  it.each<[string, JsonObject, readonly string[]]>([
    ["another field", { podPidsLimit: 100 }, ["--max-pods=20"]],
    ["an equal value", { maxPods: 20, protectKernelDefaults: true, clusterDNS: ["a", "b"] }, ["--max-pods=20", "--protect-kernel-defaults", "--cluster-dns=a,b"]],
    ["taints, which are merged into the flag", { registerWithTaints: [{ key: "a", effect: "NoSchedule" }] }, ["--register-with-taints=b:NoSchedule"]],
    ["a flag that no field has", { maxPods: 20 }, ["--root-dir=/data"]],
    ["an unknown flag", { maxPods: 20 }, ["--maxPods=21"]],
  ])("silent about %s", (_, config, words) => {
    expect(notes(config, ...words)).toEqual([]);
  });
});
