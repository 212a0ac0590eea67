import { expect, test } from "vitest";
import type { JsonObject } from "../../src/lib/json.ts";
import { effectiveConfig } from "../../src/preflight/effective-config.ts";
import { checkCapacity, checkQuantities } from "../../src/preflight/reservations.ts";

test.each<[string, JsonObject, string]>([
  ["a resource that cannot be reserved", { kubeReserved: { "nvidia.com/gpu": "1" } }, 'Cannot use "nvidia.com/gpu" in kubeReserved: kubelet reserves cpu, memory, ephemeral-storage or pid'],
  ["no quantity", { systemReserved: { memory: "1GB" } }, 'Cannot use "1GB" as memory in systemReserved: kubelet expects a quantity such as "100m" or "1Gi"'],
  ["a negative quantity", { kubeReserved: { cpu: "-100m" } }, 'Cannot use "-100m" as cpu in kubeReserved: kubelet expects a quantity such as "100m" or "1Gi"'],
  ["a percentage of another resource", { qosReserved: { cpu: "50%" } }, 'Cannot use "cpu" in qosReserved: kubelet reserves memory only'],
  ["a quantity for a percentage", { qosReserved: { memory: "1Gi" } }, 'Cannot use "1Gi" as memory in qosReserved: kubelet expects a percentage from 0% to 100%'],
  ["no size of logs", { containerLogMaxSize: "10MB" }, 'Cannot use "10MB" as containerLogMaxSize: kubelet expects a quantity such as "10Mi"'],
])("kubelet refuses %s", (_, config, message) => {
  const field = Object.keys(config).join();
  expect(checkQuantities(effective(config))).toEqual([{ severity: "error", code: "reservation", message, source: "user-data", remedy: `Change ${field} (user-data).` }]);
});

test.each<[string, JsonObject]>([
  ["the agent's reservations", { kubeReserved: { cpu: "70m", "ephemeral-storage": "1Gi", memory: "574Mi" } }],
  ["a reservation of nothing", { systemReserved: { cpu: "0", pid: "1000" } }],
  ["a percentage of memory", { qosReserved: { memory: "100%" } }],
  ["a size of logs", { containerLogMaxSize: "50Mi" }],
])("kubelet accepts %s", (_, config) => {
  expect(checkQuantities(effective(config))).toEqual([]);
});

const NODE = { cpus: 2, memoryMiB: 4096 };

test.each<[string, JsonObject, string, string]>([
  [
    "memory in one reservation",
    { kubeReserved: { memory: "4Gi" } },
    "Cannot reserve 4096 MiB of memory with kubeReserved, systemReserved and evictionHard: this node has 4096 MiB of memory, and pods would get nothing",
    "Change kubeReserved (user-data).",
  ],
  [
    "memory in all three together",
    { kubeReserved: { memory: "2Gi" }, systemReserved: { memory: "1Gi" }, evictionHard: { "memory.available": "25%" } },
    "Cannot reserve 4096 MiB of memory with kubeReserved, systemReserved and evictionHard: this node has 4096 MiB of memory, and pods would get nothing",
    "Change kubeReserved (user-data) or systemReserved (user-data) or evictionHard (user-data).",
  ],
  [
    "cpu in both together",
    { kubeReserved: { cpu: "1500m" }, systemReserved: { cpu: "1" } },
    "Cannot reserve 2500 millicores of cpu with kubeReserved, systemReserved: this node has 2 CPUs, and pods would get nothing",
    "Change kubeReserved (user-data) or systemReserved (user-data).",
  ],
  [
    "cpu by number",
    { reservedSystemCPUs: "0-1", kubeReserved: { cpu: "70m" } },
    "Cannot reserve 2000 millicores of cpu with kubeReserved, systemReserved: this node has 2 CPUs, and pods would get nothing",
    "Change kubeReserved (user-data) or reservedSystemCPUs (user-data).",
  ],
])("a node cannot reserve all of its %s", (_, config, message, remedy) => {
  expect(checkCapacity(effective(config), NODE)).toEqual([{ severity: "error", code: "reserved-too-much", message, source: "user-data", remedy }]);
});

test.each<[string, JsonObject]>([
  ["all but a millicore and a mebibyte", { kubeReserved: { cpu: "1999m", memory: "3995Mi" }, evictionHard: { "memory.available": "100Mi" } }],
  ["CPUs by number, whatever else is reserved", { reservedSystemCPUs: "0", kubeReserved: { cpu: "4" } }],
  ["what cannot be read, since that is reported elsewhere", { kubeReserved: { cpu: "lots" }, evictionHard: { "memory.available": "x%" } }],
])("a node can reserve %s", (_, config) => {
  expect(checkCapacity(effective(config), NODE)).toEqual([]);
});

function effective(config: JsonObject): ReturnType<typeof effectiveConfig> {
  return effectiveConfig({ minor: 33, config, flags: [], sourceOf: () => "user-data" });
}
