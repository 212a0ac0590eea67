import { expect, test } from "vitest";
import type { JsonObject } from "../../src/lib/json.ts";
import { effectiveConfig } from "../../src/preflight/effective-config.ts";
import type { KubeletArgument } from "../../src/preflight/finding.ts";
import { taintsOf } from "../../src/preflight/node-registration.ts";
import { checkTaints } from "../../src/preflight/taints.ts";

const KEY = 'expected a name of up to 63 letters, digits, "-", "_" and ".", after a DNS name and "/" if it has a prefix';
const VALUE = 'expected up to 63 letters, digits, "-", "_" and ".", with a letter or digit at both ends';

test.each([
  ["an effect in small letters", "a=b:noschedule", ['Cannot use "noschedule" as the effect of taint "a=b:noschedule": expected NoSchedule, PreferNoSchedule or NoExecute']],
  ["no effect", "a=b:", ['Cannot use "" as the effect of taint "a=b:": expected NoSchedule, PreferNoSchedule or NoExecute']],
  ["no key", "=b:NoSchedule", [`Cannot use "" as the key of taint "=b:NoSchedule": ${KEY}`]],
  ["a value with a slash", "a=b/c:NoSchedule", [`Cannot use "b/c" as the value of taint "a=b/c:NoSchedule": ${VALUE}`]],
  ["a key twice with one effect", "a=b:NoExecute,a=c:NoExecute", ['Cannot register with taint "a=c:NoExecute": there is already one with this key and effect']],
  ["several mistakes", "a b:x", [`Cannot use "a b" as the key of taint "a b:x": ${KEY}`, 'Cannot use "x" as the effect of taint "a b:x": expected NoSchedule, PreferNoSchedule or NoExecute']],
])("kubelet refuses a taint with %s: %s", (_, value, messages) => {
  expect(checkTaints(taintsIn({}, [flag(value)]))).toEqual(
    messages.map((message) => ({ severity: "error", code: "taint", message, source: "user", remedy: "Correct the taint: key=value:effect." })),
  );
});

test.each(["a=b:NoSchedule", "a:PreferNoSchedule", "a=:NoExecute", "example.com/a=b:NoSchedule", "a=b:NoSchedule,a=b:NoExecute", "a=b:NoSchedule,,"])("kubelet accepts %s", (value) => {
  expect(checkTaints(taintsIn({}, [flag(value)]))).toEqual([]);
});

test("a taint of the configuration must not say when it was added", () => {
  const config = { registerWithTaints: [{ key: "a", effect: "NoSchedule", timeAdded: "2026-01-01T00:00:00Z" }] };
  expect(checkTaints(taintsIn(config, []))).toEqual([
    {
      severity: "error",
      code: "taint",
      message: 'Cannot register with taint "a:NoSchedule": its timeAdded is for the cluster to set',
      source: "source of registerWithTaints",
      remedy: "Correct the taint: key=value:effect.",
    },
  ]);
});

test("the flag replaces the configuration's taints", () => {
  const config = { registerWithTaints: [{ key: "a", effect: "wrong" }] };
  expect(taintsIn(config, [flag("b:NoSchedule")])).toEqual([{ key: "b", value: "", effect: "NoSchedule", source: "user" }]);
});

test("of a flag that cannot be read there are no taints", () => {
  expect(taintsIn({}, [flag("dedicated")])).toEqual([]);
});

function flag(value: string): KubeletArgument {
  return { name: "register-with-taints", value, source: "user", owner: "user" };
}

function taintsIn(config: JsonObject, flags: readonly KubeletArgument[]): ReturnType<typeof taintsOf> {
  return taintsOf(effectiveConfig({ minor: 33, config, flags, sourceOf: (path) => `source of ${path}` }), flags);
}
