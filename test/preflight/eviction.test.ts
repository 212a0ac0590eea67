import { expect, test } from "vitest";
import { effectiveConfig } from "../../src/preflight/effective-config.ts";
import { checkEviction } from "../../src/preflight/eviction.ts";
import type { JsonObject } from "../../src/lib/json.ts";

const THRESHOLD = 'kubelet expects a quantity such as "100Mi" or a percentage such as "10%", more than zero';
const SIGNALS = "memory.available, nodefs.available, nodefs.inodesFree, imagefs.available, imagefs.inodesFree, pid.available";

test.each<[string, JsonObject, string]>([
  ["a threshold without a unit that exists", { evictionHard: { "memory.available": "100MB" } }, `Cannot use "100MB" as memory.available in evictionHard: ${THRESHOLD}`],
  ["a threshold of nothing", { evictionHard: { "memory.available": "0" } }, `Cannot use "0" as memory.available in evictionHard: ${THRESHOLD}`],
  ["a negative threshold", { evictionHard: { "memory.available": "-1Gi" } }, `Cannot use "-1Gi" as memory.available in evictionHard: ${THRESHOLD}`],
  ["more than the whole", { evictionHard: { "nodefs.available": "101%" } }, 'Cannot use "101%" as nodefs.available in evictionHard: kubelet expects a percentage from 0% to 100%'],
  ["a negative percentage", { evictionHard: { "nodefs.available": "-5%" } }, 'Cannot use "-5%" as nodefs.available in evictionHard: kubelet expects a percentage from 0% to 100%'],
  ["a percentage in words", { evictionHard: { "nodefs.available": "ten%" } }, 'Cannot use "ten%" as nodefs.available in evictionHard: kubelet expects a percentage from 0% to 100%'],
  [
    "a signal that it does not know",
    { evictionHard: { "memory.free": "1Gi" } },
    `Cannot use "memory.free" in evictionHard: kubelet 1.28 knows ${SIGNALS} or allocatableMemory.available`,
  ],
  [
    "a signal that a later version knows",
    { evictionHard: { "containerfs.available": "5%" } },
    `Cannot use "containerfs.available" in evictionHard: kubelet 1.28 knows ${SIGNALS} or allocatableMemory.available`,
  ],
  [
    "a soft threshold without a grace period",
    { evictionSoft: { "memory.available": "1Gi" } },
    "Cannot use memory.available in evictionSoft without a period in evictionSoftGracePeriod: kubelet has to know how long to wait",
  ],
  ["a grace period without a unit", { evictionSoftGracePeriod: { "memory.available": "90" } }, 'Cannot use "90" as memory.available in evictionSoftGracePeriod: kubelet expects a duration such as "1m30s"'],
  ["a negative grace period", { evictionSoftGracePeriod: { "memory.available": "-90s" } }, 'Cannot use "-90s" as memory.available in evictionSoftGracePeriod: kubelet expects a duration such as "1m30s"'],
  [
    "a negative reclaim",
    { evictionMinimumReclaim: { "memory.available": "-1Gi" } },
    'Cannot use "-1Gi" as memory.available in evictionMinimumReclaim: kubelet expects a quantity such as "500Mi" or a percentage such as "5%"',
  ],
  ["a reclaim of no percent", { evictionMinimumReclaim: { "memory.available": "0%" } }, 'Cannot use "0%" as memory.available in evictionMinimumReclaim: kubelet expects a percentage of more than 0%'],
])("kubelet refuses %s", (_, config, message) => {
  const field = Object.keys(config).join();
  const remedy = `Change ${field} (source of ${field}).`;
  expect(checkEviction(effective(28, config))).toEqual([{ severity: "error", code: "eviction", message, source: `source of ${field}`, remedy }]);
});

test.each<[string, number, JsonObject]>([
  ["the agent's thresholds", 21, { evictionHard: { "memory.available": "100Mi", "nodefs.available": "10%", "nodefs.inodesFree": "5%" } }],
  ["thresholds that are switched off", 33, { evictionHard: { "imagefs.available": "0%", "nodefs.available": "100%" }, evictionSoft: { "pid.available": "0%" } }],
  ["a soft threshold with its grace period", 33, { evictionSoft: { "memory.available": "1Gi" }, evictionSoftGracePeriod: { "memory.available": "1m30s" } }],
  ["a reclaim of nothing", 33, { evictionMinimumReclaim: { "nodefs.available": "0", "imagefs.available": "2.5%" } }],
  ["the signals of containerfs from 1.29 on", 29, { evictionHard: { "containerfs.available": "5%", "containerfs.inodesFree": "5%" } }],
  ["nothing", 33, {}],
])("kubelet accepts %s", (_, minor, config) => {
  expect(checkEviction(effective(minor, config))).toEqual([]);
});

function effective(minor: number, config: JsonObject): ReturnType<typeof effectiveConfig> {
  return effectiveConfig({ minor, config, flags: [], sourceOf: (path) => `source of ${path}` });
}
