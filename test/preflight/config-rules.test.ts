import { readFileSync } from "node:fs";
import { expect, test } from "vitest";
import { minorOf } from "../../packaging/generate/table.ts";
import { projectPath } from "../../packaging/generate.ts";
import type { JsonObject } from "../../src/lib/json.ts";
import { checkRules } from "../../src/preflight/config-rules.ts";
import { effectiveConfig } from "../../src/preflight/effective-config.ts";

type Case = {
  /** The fields that the table of facts names in the rule, in its order. */
  readonly rule: string;
  /** A configuration that breaks it. */
  readonly config: JsonObject;
  /** Minors at which kubelet refuses it. */
  readonly refused: readonly number[];
  /** Minors at which it does not. */
  readonly accepted?: readonly number[];
  readonly message: string;
};

const ALWAYS = [21, 24, 36];

const CASES: readonly Case[] = [
  { rule: "nodeLeaseDurationSeconds", config: { nodeLeaseDurationSeconds: -1 }, refused: ALWAYS, message: "Cannot use -1 as nodeLeaseDurationSeconds: kubelet accepts 1 or more" },
  { rule: "eventBurst", config: { eventBurst: -1 }, refused: ALWAYS, message: "Cannot use -1 as eventBurst: kubelet accepts 0 or more" },
  { rule: "eventRecordQPS", config: { eventRecordQPS: -1 }, refused: ALWAYS, message: "Cannot use -1 as eventRecordQPS: kubelet accepts 0 or more" },
  { rule: "kubeAPIBurst", config: { kubeAPIBurst: -2 }, refused: ALWAYS, message: "Cannot use -2 as kubeAPIBurst: kubelet accepts 0 or more" },
  { rule: "kubeAPIQPS", config: { kubeAPIQPS: -2 }, refused: ALWAYS, message: "Cannot use -2 as kubeAPIQPS: kubelet accepts 0 or more" },
  { rule: "maxOpenFiles", config: { maxOpenFiles: -1 }, refused: ALWAYS, message: "Cannot use -1 as maxOpenFiles: kubelet accepts 0 or more" },
  { rule: "maxPods", config: { maxPods: -58 }, refused: ALWAYS, message: "Cannot use -58 as maxPods: kubelet accepts 0 or more" },
  { rule: "podsPerCore", config: { podsPerCore: -1 }, refused: ALWAYS, message: "Cannot use -1 as podsPerCore: kubelet accepts 0 or more" },
  { rule: "registryBurst", config: { registryBurst: -1 }, refused: ALWAYS, message: "Cannot use -1 as registryBurst: kubelet accepts 0 or more" },
  { rule: "registryPullQPS", config: { registryPullQPS: -1 }, refused: ALWAYS, message: "Cannot use -1 as registryPullQPS: kubelet accepts 0 or more" },
  { rule: "nodeStatusMaxImages", config: { nodeStatusMaxImages: -2 }, refused: ALWAYS, message: "Cannot use -2 as nodeStatusMaxImages: kubelet accepts -1 or more" },
  { rule: "port", config: { port: 70000 }, refused: ALWAYS, message: "Cannot use 70000 as port: kubelet accepts 1 to 65535" },
  { rule: "readOnlyPort port", config: { readOnlyPort: -1 }, refused: ALWAYS, message: "Cannot use -1 as readOnlyPort: kubelet accepts 0 to 65535" },
  { rule: "healthzPort port", config: { healthzPort: 65536 }, refused: ALWAYS, message: "Cannot use 65536 as healthzPort: kubelet accepts 0 to 65535" },
  { rule: "imageGCHighThresholdPercent", config: { imageGCHighThresholdPercent: 101 }, refused: ALWAYS, message: "Cannot use 101 as imageGCHighThresholdPercent: kubelet accepts 0 to 100" },
  { rule: "imageGCLowThresholdPercent", config: { imageGCLowThresholdPercent: -1 }, refused: ALWAYS, message: "Cannot use -1 as imageGCLowThresholdPercent: kubelet accepts 0 to 100" },
  {
    rule: "imageGCHighThresholdPercent imageGCLowThresholdPercent",
    config: { imageGCLowThresholdPercent: 85 },
    refused: ALWAYS,
    message: "Cannot use 85 as imageGCLowThresholdPercent: kubelet demands less than imageGCHighThresholdPercent, which is 85",
  },
  { rule: "iptablesDropBit", config: { iptablesDropBit: 32 }, refused: ALWAYS, message: "Cannot use 32 as iptablesDropBit: kubelet accepts 0 to 31" },
  { rule: "iptablesMasqueradeBit", config: { iptablesMasqueradeBit: -1 }, refused: ALWAYS, message: "Cannot use -1 as iptablesMasqueradeBit: kubelet accepts 0 to 31" },
  { rule: "oomScoreAdj", config: { oomScoreAdj: -1001 }, refused: ALWAYS, message: "Cannot use -1001 as oomScoreAdj: kubelet accepts -1000 to 1000" },
  { rule: "maxParallelImagePulls", config: { maxParallelImagePulls: 0 }, refused: [27, 36], accepted: [26], message: "Cannot use 0 as maxParallelImagePulls: kubelet accepts 1 or more" },
  { rule: "containerLogMaxWorkers", config: { containerLogMaxWorkers: 0 }, refused: [30, 36], accepted: [29], message: "Cannot use 0 as containerLogMaxWorkers: kubelet accepts 1 or more" },
  { rule: "containerLogMaxFiles", config: { containerLogMaxFiles: 1 }, refused: [21, 33, 36], message: "Cannot use 1 as containerLogMaxFiles: kubelet accepts 2 or more" },
  {
    rule: "tracing.samplingRatePerMillion",
    config: { tracing: { samplingRatePerMillion: 1000001 }, featureGates: { KubeletTracing: true } },
    refused: [25, 36],
    accepted: [24],
    message: "Cannot use 1000001 as tracing.samplingRatePerMillion: kubelet accepts 0 to 1000000",
  },
  {
    rule: "logging.verbosity logging.vmodule[].verbosity",
    config: { logging: { verbosity: 2147483648 } },
    refused: [23, 36],
    accepted: [22],
    message: "Cannot use 2147483648 as logging.verbosity: kubelet accepts 0 to 2147483647",
  },
  {
    rule: "logging.verbosity logging.vmodule[].verbosity",
    config: { logging: { vmodule: [{ filePattern: "a", verbosity: 1 }, { filePattern: "b", verbosity: 4294967295 }] } },
    refused: [23, 36],
    accepted: [22],
    message: "Cannot use 4294967295 as verbosity in logging.vmodule: kubelet accepts 0 to 2147483647",
  },
  { rule: "memoryThrottlingFactor", config: { memoryThrottlingFactor: 0 }, refused: [22, 36], accepted: [21], message: "Cannot use 0 as memoryThrottlingFactor: kubelet accepts more than 0 and up to 1" },
  { rule: "memoryThrottlingFactor", config: { memoryThrottlingFactor: 1.1 }, refused: [22, 36], accepted: [21], message: "Cannot use 1.1 as memoryThrottlingFactor: kubelet accepts more than 0 and up to 1" },
  ...[65535, 65537, 4294967296].map((idsPerPod) => ({
    rule: "userNamespaces.idsPerPod",
    config: { userNamespaces: { idsPerPod } },
    refused: [33, 36],
    accepted: [32],
    message: `Cannot use ${idsPerPod} as userNamespaces.idsPerPod: kubelet accepts multiples of 65536 below 4294967296`,
  })),
  {
    rule: "shutdownGracePeriod",
    config: { shutdownGracePeriod: "500ms" },
    refused: ALWAYS,
    message: 'Cannot use "500ms" as shutdownGracePeriod: kubelet accepts zero, or one second and more',
  },
  {
    rule: "shutdownGracePeriodCriticalPods",
    config: { shutdownGracePeriod: "30s", shutdownGracePeriodCriticalPods: "-1s" },
    refused: ALWAYS,
    message: 'Cannot use "-1s" as shutdownGracePeriodCriticalPods: kubelet accepts zero, or one second and more',
  },
  {
    rule: "shutdownGracePeriodCriticalPods shutdownGracePeriod",
    config: { shutdownGracePeriod: "30s", shutdownGracePeriodCriticalPods: "1m" },
    refused: ALWAYS,
    message: 'Cannot use "1m" as shutdownGracePeriodCriticalPods: it is a part of shutdownGracePeriod, which is 30s',
  },
  {
    rule: "shutdownGracePeriodCriticalPods shutdownGracePeriod",
    config: { shutdownGracePeriodCriticalPods: "10s" },
    refused: ALWAYS,
    message: 'Cannot use "10s" as shutdownGracePeriodCriticalPods: it is a part of shutdownGracePeriod, which is not set',
  },
  {
    rule: "cpuCFSQuotaPeriod",
    config: { cpuCFSQuotaPeriod: "500us" },
    refused: [21, 24, 26, 35],
    accepted: [36],
    message: "Cannot use cpuCFSQuotaPeriod while the feature gate CustomCPUCFSQuotaPeriod is off",
  },
  {
    rule: "cpuCFSQuotaPeriod",
    config: { cpuCFSQuotaPeriod: "500ns", featureGates: { CustomCPUCFSQuotaPeriod: true } },
    refused: [21, 24, 25],
    message: 'Cannot use "500ns" as cpuCFSQuotaPeriod: kubelet accepts 1us to 1s',
  },
  {
    rule: "cpuCFSQuotaPeriod",
    config: { cpuCFSQuotaPeriod: "500us", featureGates: { CustomCPUCFSQuotaPeriod: true } },
    refused: [26, 36],
    accepted: [25],
    message: 'Cannot use "500us" as cpuCFSQuotaPeriod: kubelet accepts 1ms to 1s',
  },
  { rule: "imageMaximumGCAge", config: { imageMaximumGCAge: "-1h", featureGates: { ImageMaximumGCAge: true } }, refused: [29, 30, 36], accepted: [28], message: 'Cannot use "-1h" as imageMaximumGCAge: kubelet accepts zero and more' },
  { rule: "imageMaximumGCAge", config: { imageMaximumGCAge: "24h" }, refused: [29], accepted: [28, 30], message: "Cannot use imageMaximumGCAge while the feature gate ImageMaximumGCAge is off" },
  { rule: "imageMaximumGCAge", config: { imageMaximumGCAge: "24h", featureGates: { ImageMaximumGCAge: false } }, refused: [29, 30, 36], message: "Cannot use imageMaximumGCAge while the feature gate ImageMaximumGCAge is off" },
  {
    rule: "imageMinimumGCAge imageMaximumGCAge",
    config: { imageMaximumGCAge: "1m", featureGates: { ImageMaximumGCAge: true } },
    refused: [29, 36],
    accepted: [28],
    message: 'Cannot use "1m" as imageMaximumGCAge: kubelet demands more than imageMinimumGCAge, which is 2m0s',
  },
  { rule: "imageMinimumGCAge", config: { imageMinimumGCAge: "-2m" }, refused: [36], accepted: [35], message: 'Cannot use "-2m" as imageMinimumGCAge: kubelet accepts zero and more' },
  {
    rule: "containerLogMonitorInterval",
    config: { containerLogMonitorInterval: "2s" },
    refused: [30, 36],
    accepted: [29],
    message: 'Cannot use "2s" as containerLogMonitorInterval: kubelet accepts 3s and more',
  },
  {
    rule: "crashLoopBackOff.maxContainerRestartPeriod",
    config: { crashLoopBackOff: { maxContainerRestartPeriod: "301s" }, featureGates: { KubeletCrashLoopBackOffMax: true } },
    refused: [32, 36],
    message: 'Cannot use "301s" as crashLoopBackOff.maxContainerRestartPeriod: kubelet accepts 1s to 300s',
  },
  {
    rule: "crashLoopBackOff.maxContainerRestartPeriod",
    config: { crashLoopBackOff: { maxContainerRestartPeriod: "60s" } },
    refused: [32, 34],
    accepted: [35],
    message: "Cannot use crashLoopBackOff.maxContainerRestartPeriod while the feature gate KubeletCrashLoopBackOffMax is off",
  },
  { rule: "logging.flushFrequency", config: { logging: { flushFrequency: "-5s" } }, refused: [35, 36], accepted: [34], message: 'Cannot use "-5s" as logging.flushFrequency: kubelet accepts more than zero' },
  { rule: "logging.format", config: { logging: { format: "xml" } }, refused: ALWAYS, message: 'Cannot use "xml" as logging.format: kubelet accepts "text" or "json"' },
  {
    rule: "logging.vmodule",
    config: { logging: { format: "json", vmodule: [{ filePattern: "kubelet*", verbosity: 4 }] } },
    refused: [23, 36],
    accepted: [22],
    message: 'Cannot use logging.vmodule with logging.format "json": it is only for the format "text"',
  },
  {
    rule: "logging.vmodule[].filePattern",
    config: { logging: { vmodule: [{ filePattern: "a=b", verbosity: 4 }] } },
    refused: [23, 36],
    accepted: [22],
    message: 'Cannot use "a=b" as filePattern in logging.vmodule: kubelet demands a pattern without "=" and ","',
  },
  {
    rule: "tracing.endpoint",
    config: { tracing: { endpoint: "https://collector:4317" }, featureGates: { KubeletTracing: true } },
    refused: [25, 36],
    accepted: [24],
    message: 'Cannot use "https://collector:4317" as tracing.endpoint: kubelet accepts "host:port" and the schemes dns, unix and unix-abstract',
  },
  { rule: "tracing", config: { tracing: { endpoint: "localhost:4317" } }, refused: [25, 26], accepted: [24, 27], message: "Cannot use tracing while the feature gate KubeletTracing is off" },
  {
    rule: "hairpinMode",
    config: { hairpinMode: "veth" },
    refused: ALWAYS,
    message: 'Cannot use "veth" as hairpinMode: kubelet accepts "promiscuous-bridge", "hairpin-veth" or "none"',
  },
  {
    rule: "topologyManagerPolicy",
    config: { topologyManagerPolicy: "numa" },
    refused: ALWAYS,
    message: 'Cannot use "numa" as topologyManagerPolicy: kubelet accepts "none", "best-effort", "restricted" or "single-numa-node"',
  },
  {
    rule: "topologyManagerPolicy",
    config: { topologyManagerPolicy: "restricted", featureGates: { TopologyManager: false } },
    refused: [21, 24, 26],
    accepted: [27],
    message: "Cannot use topologyManagerPolicy while the feature gate TopologyManager is off",
  },
  { rule: "topologyManagerScope", config: { topologyManagerScope: "node" }, refused: ALWAYS, message: 'Cannot use "node" as topologyManagerScope: kubelet accepts "container" or "pod"' },
  {
    rule: "topologyManagerScope",
    config: { topologyManagerScope: "pod", featureGates: { TopologyManager: false } },
    refused: [21, 24, 26],
    accepted: [27],
    message: "Cannot use topologyManagerScope while the feature gate TopologyManager is off",
  },
  {
    rule: "memorySwap.swapBehavior",
    config: { memorySwap: { swapBehavior: "NoSwap" }, featureGates: { NodeSwap: true } },
    refused: [22, 24, 29],
    accepted: [21, 30],
    message: 'Cannot use "NoSwap" as memorySwap.swapBehavior: kubelet accepts "LimitedSwap" or "UnlimitedSwap"',
  },
  {
    rule: "memorySwap.swapBehavior",
    config: { memorySwap: { swapBehavior: "UnlimitedSwap" } },
    refused: [30, 36],
    message: 'Cannot use "UnlimitedSwap" as memorySwap.swapBehavior: kubelet accepts "LimitedSwap" or "NoSwap"',
  },
  {
    rule: "memorySwap.swapBehavior",
    config: { memorySwap: { swapBehavior: "LimitedSwap" }, featureGates: { NodeSwap: false } },
    refused: [22, 24, 30, 36],
    accepted: [21],
    message: "Cannot use memorySwap.swapBehavior while the feature gate NodeSwap is off",
  },
  { rule: "systemCgroups cgroupRoot", config: { systemCgroups: "/system" }, refused: ALWAYS, message: 'Cannot use "/system" as systemCgroups without cgroupRoot' },
  {
    rule: "serverTLSBootstrap",
    config: { serverTLSBootstrap: true, featureGates: { RotateKubeletServerCertificate: false } },
    refused: ALWAYS,
    message: "Cannot use serverTLSBootstrap while the feature gate RotateKubeletServerCertificate is off",
  },
  {
    rule: "shutdownGracePeriodCriticalPods shutdownGracePeriod",
    config: { shutdownGracePeriod: "30s", featureGates: { GracefulNodeShutdown: false } },
    refused: ALWAYS,
    message: "Cannot use shutdownGracePeriod while the feature gate GracefulNodeShutdown is off",
  },
  {
    rule: "shutdownGracePeriodByPodPriority",
    config: { shutdownGracePeriodByPodPriority: [{ priority: 0, shutdownGracePeriodSeconds: 30 }] },
    refused: [23],
    accepted: [22, 24],
    message: "Cannot use shutdownGracePeriodByPodPriority while the feature gate GracefulNodeShutdownBasedOnPodPriority is off",
  },
  {
    rule: "shutdownGracePeriodByPodPriority shutdownGracePeriod",
    config: { shutdownGracePeriod: "30s", shutdownGracePeriodByPodPriority: [{ priority: 0, shutdownGracePeriodSeconds: 30 }], featureGates: { GracefulNodeShutdownBasedOnPodPriority: true } },
    refused: [23, 36],
    accepted: [22],
    message: "Cannot use shutdownGracePeriodByPodPriority together with shutdownGracePeriod: kubelet demands one or the other",
  },
  {
    rule: "enforceNodeAllocatable cgroupsPerQOS",
    config: { cgroupsPerQOS: false },
    refused: [21, 30, 31, 36],
    message: 'Cannot use ["pods"] as enforceNodeAllocatable with cgroupsPerQOS false: kubelet enforces it through those cgroups',
  },
  {
    rule: "enforceNodeAllocatable cgroupsPerQOS",
    config: { cgroupsPerQOS: false, enforceNodeAllocatable: ["none"] },
    refused: [21, 30],
    accepted: [31, 36],
    message: 'Cannot use ["none"] as enforceNodeAllocatable with cgroupsPerQOS false: kubelet enforces it through those cgroups',
  },
  {
    rule: "enforceNodeAllocatable",
    config: { enforceNodeAllocatable: ["pods", "pod"] },
    refused: [21, 24, 31],
    message: 'Cannot use "pod" in enforceNodeAllocatable: kubelet 1.MINOR accepts "none", "pods", "system-reserved" or "kube-reserved"',
  },
  {
    rule: "enforceNodeAllocatable",
    config: { enforceNodeAllocatable: ["pods", "pod"] },
    refused: [32, 36],
    message:
      'Cannot use "pod" in enforceNodeAllocatable: kubelet 1.MINOR accepts "none", "pods", "system-reserved", "kube-reserved", "system-reserved-compressible" or "kube-reserved-compressible"',
  },
  { rule: "enforceNodeAllocatable", config: { enforceNodeAllocatable: ["none", "pods"] }, refused: [21, 24, 31, 32, 36], message: 'Cannot use ["none","pods"] as enforceNodeAllocatable: with "none" kubelet accepts nothing else' },
  { rule: "enforceNodeAllocatable", config: { enforceNodeAllocatable: ["pods", "pods"] }, refused: [31, 32, 36], accepted: [30], message: 'Cannot use ["pods","pods"] as enforceNodeAllocatable: it names "pods" twice' },
  {
    rule: "enforceNodeAllocatable",
    config: { enforceNodeAllocatable: ["kube-reserved", "kube-reserved-compressible"], kubeReservedCgroup: "/runtime" },
    refused: [32, 36],
    message: 'Cannot use "kube-reserved" and "kube-reserved-compressible" together in enforceNodeAllocatable: kubelet demands one or the other',
  },
  {
    rule: "enforceNodeAllocatable systemReservedCgroup",
    config: { enforceNodeAllocatable: ["pods", "system-reserved"] },
    refused: [21, 24, 32, 36],
    message: 'Cannot use "system-reserved" in enforceNodeAllocatable without systemReservedCgroup: kubelet has to know the cgroup',
  },
  {
    rule: "enforceNodeAllocatable kubeReservedCgroup",
    config: { enforceNodeAllocatable: ["pods", "kube-reserved"] },
    refused: [21, 24, 32, 36],
    message: 'Cannot use "kube-reserved" in enforceNodeAllocatable without kubeReservedCgroup: kubelet has to know the cgroup',
  },
  {
    rule: "enforceNodeAllocatable kubeReservedCgroup",
    config: { enforceNodeAllocatable: ["kube-reserved-compressible"] },
    refused: [32, 36],
    message: 'Cannot use "kube-reserved-compressible" in enforceNodeAllocatable without kubeReservedCgroup: kubelet has to know the cgroup',
  },
  {
    rule: "systemReservedCgroup reservedSystemCPUs kubeReservedCgroup",
    config: { reservedSystemCPUs: "0", kubeReservedCgroup: "/runtime" },
    refused: ALWAYS,
    message: "Cannot use reservedSystemCPUs together with kubeReservedCgroup: kubelet demands one or the other",
  },
  { rule: "reservedSystemCPUs", config: { reservedSystemCPUs: "3-1" }, refused: ALWAYS, message: 'Cannot use "3-1" as reservedSystemCPUs: kubelet expects numbers and ranges such as "0-3,8"' },
  {
    rule: "reservedMemory[].limits",
    config: { reservedMemory: [{ numaNode: 0, limits: { cpu: "1" } }] },
    refused: ALWAYS,
    message: 'Cannot use "cpu" for NUMA node 0 in reservedMemory: kubelet accepts "memory" and "hugepages-SIZE"',
  },
  {
    rule: "reservedMemory[].limits",
    config: { reservedMemory: [{ numaNode: 1, limits: { memory: "0Mi" } }] },
    refused: ALWAYS,
    message: 'Cannot use "0Mi" as memory for NUMA node 1 in reservedMemory: kubelet demands more than zero',
  },
  {
    rule: "reservedMemory[].limits",
    config: { reservedMemory: [{ numaNode: 0, limits: { memory: "1Gi" } }, { numaNode: 0, limits: { memory: "2Gi" } }] },
    refused: ALWAYS,
    message: "Cannot use memory for NUMA node 0 in reservedMemory twice",
  },
  {
    rule: "maxParallelImagePulls serializeImagePulls",
    config: { maxParallelImagePulls: 2, serializeImagePulls: true },
    refused: [27, 36],
    accepted: [26],
    message: "Cannot use 2 as maxParallelImagePulls with serializeImagePulls true: that allows one pull at a time",
  },
  {
    rule: "enableSystemLogHandler",
    config: { enableSystemLogQuery: true },
    refused: [27, 34, 35],
    accepted: [26, 36],
    message: "Cannot use enableSystemLogQuery while the feature gate NodeLogQuery is off",
  },
  {
    rule: "enableSystemLogQuery",
    config: { enableSystemLogQuery: true, featureGates: { NodeLogQuery: false } },
    refused: [35, 36],
    message: "Cannot use enableSystemLogQuery while the feature gate NodeLogQuery is off",
  },
  {
    rule: "enableSystemLogHandler enableSystemLogQuery",
    config: { enableSystemLogQuery: true, enableSystemLogHandler: false, featureGates: { NodeLogQuery: true } },
    refused: [27, 36],
    accepted: [26],
    message: "Cannot use enableSystemLogQuery true with enableSystemLogHandler false: the handler answers the queries",
  },
  ...["logs", "/var//log", "/var/log/", "/var/../log", "/var/løg"].map((podLogsDir) => ({
    rule: "podLogsDir",
    config: { podLogsDir },
    refused: [30, 36],
    accepted: [29],
    message: `Cannot use "${podLogsDir}" as podLogsDir: kubelet demands an absolute path in ASCII without "//", "/./", "/../" and a slash at its end`,
  })),
  { rule: "runOnce", config: { runOnce: true }, refused: [32, 36], accepted: [31], message: "Cannot use runOnce true: kubelet no longer runs pods once and exits" },
  {
    rule: "imagePullCredentialsVerificationPolicy",
    config: { imagePullCredentialsVerificationPolicy: "Always", featureGates: { KubeletEnsureSecretPulledImages: true } },
    refused: [33, 36],
    accepted: [32],
    message: 'Cannot use "Always" as imagePullCredentialsVerificationPolicy: kubelet accepts "NeverVerify", "NeverVerifyPreloadedImages", "NeverVerifyAllowlistedImages" or "AlwaysVerify"',
  },
  {
    rule: "imagePullCredentialsVerificationPolicy",
    config: { imagePullCredentialsVerificationPolicy: "AlwaysVerify" },
    refused: [33, 34],
    accepted: [32, 35],
    message: "Cannot use imagePullCredentialsVerificationPolicy while the feature gate KubeletEnsureSecretPulledImages is off",
  },
  {
    rule: "preloadedImagesVerificationAllowlist",
    config: { preloadedImagesVerificationAllowlist: ["example.com/a"], featureGates: { KubeletEnsureSecretPulledImages: true } },
    refused: [33, 36],
    accepted: [32],
    message:
      'Cannot use preloadedImagesVerificationAllowlist with imagePullCredentialsVerificationPolicy "NeverVerifyPreloadedImages": kubelet reads the list under "NeverVerifyAllowlistedImages" only',
  },
  {
    rule: "preloadedImagesVerificationAllowlist",
    config: { preloadedImagesVerificationAllowlist: ["example.com/a"], imagePullCredentialsVerificationPolicy: "NeverVerifyAllowlistedImages", featureGates: { KubeletEnsureSecretPulledImages: false } },
    refused: [33, 36],
    accepted: [32],
    message: "Cannot use preloadedImagesVerificationAllowlist while the feature gate KubeletEnsureSecretPulledImages is off",
  },
  {
    rule: "memoryReservationPolicy",
    config: { memoryReservationPolicy: "TieredReservation", featureGates: { MemoryQoS: false } },
    refused: [36],
    accepted: [35],
    message: "Cannot use memoryReservationPolicy while the feature gate MemoryQoS is off",
  },
  { rule: "memoryReservationPolicy", config: { memoryReservationPolicy: "Tiered" }, refused: [36], accepted: [35], message: 'Cannot use "Tiered" as memoryReservationPolicy: kubelet accepts "None" or "TieredReservation"' },
  // Refused by what reads them after the validation: in no row of the table.
  { rule: "", config: { authorization: { mode: "RBAC" } }, refused: ALWAYS, message: 'Cannot use "RBAC" as authorization.mode: kubelet accepts "AlwaysAllow" or "Webhook"' },
  { rule: "", config: { cpuManagerPolicy: "Static" }, refused: ALWAYS, message: 'Cannot use "Static" as cpuManagerPolicy: kubelet accepts "none" or "static"' },
  { rule: "", config: { memoryManagerPolicy: "static" }, refused: [22, 36], message: 'Cannot use "static" as memoryManagerPolicy: kubelet accepts "None" or "Static"' },
  {
    rule: "",
    config: { configMapAndSecretChangeDetectionStrategy: "Poll" },
    refused: ALWAYS,
    message: 'Cannot use "Poll" as configMapAndSecretChangeDetectionStrategy: kubelet accepts "Get", "Cache" or "Watch"',
  },
  { rule: "", config: { tlsMinVersion: "1.2" }, refused: ALWAYS, message: 'Cannot use "1.2" as tlsMinVersion: kubelet accepts "VersionTLS10", "VersionTLS11", "VersionTLS12" or "VersionTLS13"' },
];

const EACH = CASES.flatMap((row) => row.refused.map((minor) => ({ ...row, minor, message: row.message.replace("MINOR", String(minor)), given: JSON.stringify(row.config) })));

test.each(EACH)("kubelet 1.$minor refuses $given", ({ config, minor, message }) => {
  expect(messagesOf(config, minor)).toContain(message);
});

const ACCEPTED = CASES.flatMap((row) => (row.accepted ?? []).map((minor) => ({ ...row, minor, given: JSON.stringify(row.config) })));

test.each(ACCEPTED)("kubelet 1.$minor does not refuse $given for what another does", ({ config, minor, message }) => {
  expect(messagesOf(config, minor)).not.toContain(message.replace("MINOR", String(minor)));
});

/** Rows of the table that are checked elsewhere or not at all; config-rules.ts says why. */
const ELSEWHERE = [
  { rule: "registerWithTaints" },
  { rule: "failCgroupV1" },
  { rule: "singleProcessOOMKill" },
  { rule: "containerRuntimeEndpoint" },
  { rule: "memoryThrottlingFactor", condition: /gate\(MemoryQoS\) && / },
  { rule: "crashLoopBackOff.maxContainerRestartPeriod", condition: /MaxContainerRestartPeriod == nil/ },
  { rule: "podLogsDir", condition: /== ""/ },
  { rule: "preloadedImagesVerificationAllowlist", condition: /ValidateAllowlistImagesPatterns/ },
];

test("every rule of the table of facts has a case at the first version with it", () => {
  const uncovered = factRules().filter(({ rule, since }) => {
    const rules = factRules().filter((other) => other.rule === rule && other.since <= since && since <= other.until);
    const cases = CASES.filter((row) => row.rule === rule && row.refused.includes(since));
    return cases.length < rules.length;
  });
  expect(uncovered).toEqual([]);
});

test("a case names a rule of the table, or none", () => {
  const known = new Set(["", ...factRules().map(({ rule }) => rule)]);
  expect(CASES.filter(({ rule }) => !known.has(rule))).toEqual([]);
});

type Fact = { readonly fields: readonly string[]; readonly fails_if: string; readonly since: string; readonly until: string | null };

function factRules(): readonly { readonly rule: string; readonly since: number; readonly until: number }[] {
  const { validation_rules: facts } = JSON.parse(readFileSync(projectPath("packaging/facts/kubelet-config-fields.json"), "utf8")) as { readonly validation_rules: readonly Fact[] };
  return facts
    .map((fact) => ({ ...fact, rule: fact.fields.join(" ") }))
    .filter((fact) => !ELSEWHERE.some(({ rule, condition }) => fact.rule === rule && (condition === undefined || condition.test(fact.fails_if))))
    .map(({ rule, since, until }) => ({ rule, since: Number(minorOf(since)), until: until === null ? 36 : Number(minorOf(until)) }));
}

test("kubelet's own defaults break no rule in any version", () => {
  const messages = Array.from({ length: 16 }, (_, index) => messagesOf({}, 21 + index));
  expect(messages.flat()).toEqual([]);
});

test.each([
  ["an explicit zero is kubelet's default for most fields", { port: 0, maxPods: 0, shutdownGracePeriod: "0s" }, 33],
  ["an explicit zero of a nullable field is a zero", { healthzPort: 0, kubeAPIQPS: 0, eventRecordQPS: 0 }, 33],
  ["null is absent", { maxPods: null, cgroupsPerQOS: null }, 33],
  ["two pulls at a time make serializeImagePulls false unless it is set", { maxParallelImagePulls: 2 }, 33],
  ["an empty swap behaviour", { memorySwap: { swapBehavior: "" } }, 29],
  ["a gate in a group that is switched is unknown", { featureGates: { AllAlpha: true }, cpuCFSQuotaPeriod: "50ms" }, 33],
  ["a value of another type is for the check of types", { maxPods: "many", shutdownGracePeriod: 30, enforceNodeAllocatable: "pods" }, 33],
])("%s", (_, config, minor) => {
  expect(messagesOf(config, minor)).toEqual([]);
});

test("a flag beats its field, and the remedy names the flag", () => {
  const flags = [{ name: "max-pods", value: "-1", source: "option --kubelet-extra-args", owner: "user" as const }];
  expect(checkRules(effectiveConfig({ minor: 33, config: { maxPods: 10 }, sourceOf: () => "user-data", flags }))).toEqual([
    {
      severity: "error",
      code: "config-rule",
      message: "Cannot use -1 as maxPods: kubelet accepts 0 or more",
      source: "option --kubelet-extra-args",
      remedy: "Change --max-pods (option --kubelet-extra-args).",
    },
  ]);
});

test("a flag that is right hides a field that is wrong", () => {
  const flags = [{ name: "max-pods", value: "20", source: "option --kubelet-extra-args", owner: "user" as const }];
  expect(checkRules(effectiveConfig({ minor: 33, config: { maxPods: -1 }, sourceOf: () => "user-data", flags }))).toEqual([]);
});

test("a remedy names all who set one of the fields, with their sources", () => {
  const flags = [{ name: "reserved-cpus", value: "0-1", source: "environment", owner: "user" as const }];
  const config = { kubeReservedCgroup: "/runtime", systemReservedCgroup: "/system" };
  expect(checkRules(effectiveConfig({ minor: 33, config, sourceOf: (path) => `user-data of ${path}`, flags }))).toEqual([
    {
      severity: "error",
      code: "config-rule",
      message: "Cannot use reservedSystemCPUs together with systemReservedCgroup: kubelet demands one or the other",
      source: "environment",
      remedy: "Change --reserved-cpus (environment) or systemReservedCgroup (user-data of systemReservedCgroup) or kubeReservedCgroup (user-data of kubeReservedCgroup).",
    },
  ]);
});

test("an empty --container-runtime-endpoint is refused where the configuration has the field", () => {
  const flags = [{ name: "container-runtime-endpoint", value: "", source: "user", owner: "user" as const }];
  const messages = [26, 27].map((minor) => checkRules(effectiveConfig({ minor, config: {}, sourceOf: () => "", flags })).map(({ message }) => message));
  expect(messages).toEqual([[], ["Cannot use an empty containerRuntimeEndpoint: kubelet demands the socket of the container runtime"]]);
});

function messagesOf(config: JsonObject, minor: number): readonly string[] {
  return checkRules(effectiveConfig({ minor, config, sourceOf: () => "user-data", flags: [] })).map(({ message }) => message);
}
