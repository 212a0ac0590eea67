import { expect, test } from "vitest";
import type { JsonObject } from "../../src/lib/json.ts";
import type { Finding } from "../../src/preflight/finding.ts";
import { checkKubeletConfig } from "../../src/preflight/kubelet-config.ts";

const WHOLE = "kubelet expects a whole number from -2147483648 to 2147483647, without quotes";

test.each<[string, JsonObject, string, string]>([
  ["a number in quotes", { maxPods: "110" }, "maxPods", `Cannot use "110" as maxPods: ${WHOLE}`],
  ["a fraction for a whole number", { maxPods: 1.5 }, "maxPods", `Cannot use 1.5 as maxPods: ${WHOLE}`],
  ["a number too large", { maxPods: 2147483648 }, "maxPods", `Cannot use 2147483648 as maxPods: ${WHOLE}`],
  ["a truth in quotes", { failSwapOn: "false" }, "failSwapOn", 'Cannot use "false" as failSwapOn: kubelet expects true or false, without quotes'],
  ["a number for a text", { clusterDomain: 1 }, "clusterDomain", "Cannot use 1 as clusterDomain: kubelet expects a string, in quotes"],
  ["a text for a list", { clusterDNS: "10.0.0.10" }, "clusterDNS", 'Cannot use "10.0.0.10" as clusterDNS: kubelet expects a list'],
  ["a number in a list of texts", { clusterDNS: ["a", 10] }, "clusterDNS", "Cannot use 10 as clusterDNS[1]: kubelet expects a string, in quotes"],
  ["a number in a map of texts", { evictionHard: { "pid.available": 10 } }, "evictionHard", "Cannot use 10 as evictionHard.pid.available: kubelet expects a string, in quotes"],
  ["a list for a map", { kubeReserved: ["cpu"] }, "kubeReserved", 'Cannot use ["cpu"] as kubeReserved: kubelet expects a map'],
  ["a text in a map of truths", { featureGates: { NodeSwap: "true" } }, "featureGates", 'Cannot use "true" as featureGates.NodeSwap: kubelet expects true or false, without quotes'],
  ["a bare number for a duration", { syncFrequency: 60 }, "syncFrequency", 'Cannot use 60 as syncFrequency: kubelet expects a duration such as "1m30s"'],
  ["days in a duration", { imageMinimumGCAge: "1d" }, "imageMinimumGCAge", 'Cannot use "1d" as imageMinimumGCAge: kubelet expects a duration such as "1m30s"'],
  ["a text for an object", { authentication: "none" }, "authentication", 'Cannot use "none" as authentication: kubelet expects an object'],
  ["a wrong value deep inside", { authentication: { webhook: { enabled: 1 } } }, "authentication.webhook.enabled", "Cannot use 1 as authentication.webhook.enabled: kubelet expects true or false, without quotes"],
  ["an object for a list of objects", { registerWithTaints: { key: "a" } }, "registerWithTaints", 'Cannot use {"key":"a"} as registerWithTaints: kubelet expects a list'],
  ["a text in a list of objects", { registerWithTaints: ["a:NoSchedule"] }, "registerWithTaints", 'Cannot use "a:NoSchedule" as registerWithTaints[0]: kubelet expects an object'],
  [
    "a wrong value in an item of a list",
    { registerWithTaints: [{ key: "a", value: true, effect: "NoSchedule" }] },
    "registerWithTaints[0].value",
    "Cannot use true as registerWithTaints[0].value: kubelet expects a string, in quotes",
  ],
  ["a number that is no quantity", { reservedMemory: [{ numaNode: 0, limits: { memory: "1GB" } }] }, "reservedMemory[0].limits", 'Cannot use "1GB" as reservedMemory[0].limits.memory: kubelet expects a quantity such as "100Mi"'],
  ["a negative verbosity", { logging: { verbosity: -1 } }, "logging.verbosity", "Cannot use -1 as logging.verbosity: kubelet expects a whole number from 0 to 4294967295, without quotes"],
  ["a text for a factor", { memoryThrottlingFactor: "0.9" }, "memoryThrottlingFactor", 'Cannot use "0.9" as memoryThrottlingFactor: kubelet expects a number, without quotes'],
])("kubelet refuses %s", (_, config, path, message) => {
  expect(findings(33, config)).toEqual([{ severity: "error", code: "field-type", message, source: `source of ${path}`, remedy: `Correct ${path}.` }]);
});

test.each([
  ["a duration in words, which it took from 1.28 on", 27, { logging: { flushFrequency: "5s" } }, 'Cannot use "5s" as logging.flushFrequency: kubelet expects a whole number of nanoseconds, without quotes'],
  ["neither a number nor a duration", 28, { logging: { flushFrequency: "soon" } }, 'Cannot use "soon" as logging.flushFrequency: kubelet expects a duration such as "5s"'],
])("as the frequency of flushing, kubelet refuses %s", (_, minor, config, message) => {
  expect(findings(minor, config).map((finding) => finding.message)).toEqual([message]);
});

test.each<[string, number, JsonObject, Partial<Finding>]>([
  [
    "that no version knows, with the nearest name",
    33,
    { maxPodz: 10 },
    { code: "field-unknown", message: 'kubelet 1.33 ignores the configuration field "maxPodz": no kubelet up to 1.36 knows it; did you mean maxPods?', remedy: "Remove it, or correct its name." },
  ],
  [
    "written in another case",
    33,
    { clusterDns: ["10.0.0.10"] },
    { code: "field-unknown", message: 'kubelet 1.33 ignores the configuration field "clusterDns": no kubelet up to 1.36 knows it; did you mean clusterDNS?', remedy: "Remove it, or correct its name." },
  ],
  [
    "unknown inside an object, with the nearest name there",
    33,
    { authentication: { anonymus: { enabled: "nonsense" } } },
    { code: "field-unknown", message: 'kubelet 1.33 ignores the configuration field "authentication.anonymus": no kubelet up to 1.36 knows it; did you mean anonymous?', remedy: "Remove it, or correct its name." },
  ],
  [
    "unknown inside an item of a list",
    33,
    { registerWithTaints: [{ key: "a", effect: "NoSchedule", valu: "b" }] },
    { code: "field-unknown", message: 'kubelet 1.33 ignores the configuration field "registerWithTaints[0].valu": no kubelet up to 1.36 knows it; did you mean value?', remedy: "Remove it, or correct its name." },
  ],
  [
    "of an object's prototype",
    33,
    { constructor: 1 },
    { code: "field-unknown", message: 'kubelet 1.33 ignores the configuration field "constructor": no kubelet up to 1.36 knows it', remedy: "Remove it, or correct its name." },
  ],
  [
    "that a later version has, whatever its value",
    26,
    { containerRuntimeEndpoint: 1 },
    { code: "field-too-new", message: 'kubelet 1.26 ignores the configuration field "containerRuntimeEndpoint": it came with 1.27', remedy: "Remove it, or use an image with a newer kubelet." },
  ],
  [
    "that was removed",
    24,
    { logging: { sanitization: true } },
    { code: "field-removed", message: 'kubelet 1.24 ignores the configuration field "logging.sanitization": it was removed in 1.24', remedy: "Remove it." },
  ],
])("kubelet only warns of a field %s", (_, minor, config, expected) => {
  expect(findings(minor, config).map(({ source: _source, ...rest }) => rest)).toEqual([{ severity: "note", ...expected }]);
});

test.each<[string, number, JsonObject]>([
  ["nothing", 33, {}],
  ["null for anything", 33, { maxPods: null, authentication: null, clusterDNS: [null], kubeReserved: { cpu: null } }],
  ["its own kind", 33, { apiVersion: "kubelet.config.k8s.io/v1beta1", kind: "KubeletConfiguration" }],
  ["quantities as numbers", 33, { reservedMemory: [{ numaNode: 0, limits: { memory: 1073741824 } }] }],
  ["nanoseconds for the frequency of flushing", 28, { logging: { flushFrequency: 5000000000 } }],
  ["any key in a map", 33, { featureGates: { Unheard: true }, kubeReserved: { "example.com/thing": "1" } }],
  ["lists of texts in a map", 33, { staticPodURLHeader: { "X-Key": ["a", "b"] } }],
])("kubelet can decode %s", (_, minor, config) => {
  expect(findings(minor, config)).toEqual([]);
});

test("a file of another kind or version is refused", () => {
  expect(findings(33, { apiVersion: "kubelet.config.k8s.io/v1", kind: "KubeProxyConfiguration" })).toEqual([
    {
      severity: "error",
      code: "field-value",
      message: 'Cannot use "kubelet.config.k8s.io/v1" as apiVersion of the kubelet configuration: kubelet knows only "kubelet.config.k8s.io/v1beta1"',
      source: "source of apiVersion",
      remedy: "Write apiVersion: kubelet.config.k8s.io/v1beta1, or leave it out.",
    },
    {
      severity: "error",
      code: "field-value",
      message: 'Cannot use "KubeProxyConfiguration" as kind of the kubelet configuration: kubelet knows only "KubeletConfiguration"',
      source: "source of kind",
      remedy: "Write kind: KubeletConfiguration, or leave it out.",
    },
  ]);
});

test("all problems are found at once, in the order of the file", () => {
  const codes = findings(33, { maxPods: "1", nope: 1, failSwapOn: "x", logging: { format: 1, nope: 2 } }).map(({ code, source }) => [code, source]);
  expect(codes).toEqual([
    ["field-type", "source of maxPods"],
    ["field-unknown", "source of nope"],
    ["field-type", "source of failSwapOn"],
    ["field-type", "source of logging.format"],
    ["field-unknown", "source of logging.nope"],
  ]);
});

function findings(minor: number, config: JsonObject): readonly Finding[] {
  return checkKubeletConfig({ minor, config, sourceOf: (path) => `source of ${path}` });
}
