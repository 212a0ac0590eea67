import { ONE_SECOND } from "../../lib/duration.ts";
import type { EffectiveConfig } from "../effective-config.ts";
import { durationAt, numberAt, textAt, wordsAt } from "../effective-config.ts";
import type { Gate } from "../feature-gates.ts";
import { isGateOn } from "../feature-gates.ts";
import { quote } from "../finding.ts";
import type { Rule } from "./rule.ts";

/** Fields that need a feature gate, or that exclude or demand one another. */
export const FEATURE_RULES: readonly Rule[] = [
  gateRule("RotateKubeletServerCertificate", ["serverTLSBootstrap"], (config) => config.value("serverTLSBootstrap") === true),
  gateRule("CustomCPUCFSQuotaPeriod", ["cpuCFSQuotaPeriod"], (config) => (durationAt(config, "cpuCFSQuotaPeriod") ?? DEFAULT_QUOTA_PERIOD) !== DEFAULT_QUOTA_PERIOD),
  gateRule("TopologyManager", ["topologyManagerPolicy"], (config) => config.value("topologyManagerPolicy") !== "none", 20, 26),
  gateRule("TopologyManager", ["topologyManagerScope"], (config) => config.value("topologyManagerScope") !== "container", 20, 26),
  gateRule("GracefulNodeShutdown", ["shutdownGracePeriod"], (config) => (durationAt(config, "shutdownGracePeriod") ?? 0n) > 0n),
  gateRule("GracefulNodeShutdown", ["shutdownGracePeriodCriticalPods"], (config) => (durationAt(config, "shutdownGracePeriodCriticalPods") ?? 0n) > 0n),
  gateRule("GracefulNodeShutdownBasedOnPodPriority", ["shutdownGracePeriodByPodPriority"], hasPriorities, 23),
  gateRule("NodeSwap", ["memorySwap.swapBehavior"], (config) => config.given("memorySwap.swapBehavior") !== undefined, 22),
  gateRule("KubeletTracing", ["tracing"], (config) => config.given("tracing") !== undefined, 25, 33),
  gateRule("NodeLogQuery", ["enableSystemLogQuery"], (config) => config.value("enableSystemLogQuery") === true, 27),
  gateRule("ImageMaximumGCAge", ["imageMaximumGCAge"], (config) => (durationAt(config, "imageMaximumGCAge") ?? 0n) !== 0n, 29),
  gateRule("KubeletCrashLoopBackOffMax", ["crashLoopBackOff.maxContainerRestartPeriod"], (config) => config.given("crashLoopBackOff.maxContainerRestartPeriod") !== undefined, 32),
  gateRule("KubeletEnsureSecretPulledImages", ["imagePullCredentialsVerificationPolicy"], (config) => config.given("imagePullCredentialsVerificationPolicy") !== undefined, 33),
  gateRule("KubeletEnsureSecretPulledImages", ["preloadedImagesVerificationAllowlist"], (config) => wordsAt(config, "preloadedImagesVerificationAllowlist").length > 0, 33),
  gateRule("MemoryQoS", ["memoryReservationPolicy"], (config) => config.value("memoryReservationPolicy") !== "None", 36),
  {
    since: 23,
    fields: ["shutdownGracePeriodByPodPriority", "shutdownGracePeriod", "shutdownGracePeriodCriticalPods"],
    complaint: (config) => {
      const periods = ["shutdownGracePeriod", "shutdownGracePeriodCriticalPods"].filter((field) => (durationAt(config, field) ?? 0n) > 0n);
      if (!hasPriorities(config) || periods.length === 0) return undefined;
      return `Cannot use shutdownGracePeriodByPodPriority together with ${periods.join(" and ")}: kubelet demands one or the other`;
    },
  },
  {
    since: 27,
    fields: ["maxParallelImagePulls", "serializeImagePulls"],
    // Absent, serializeImagePulls is false as soon as there may be two pulls.
    complaint: (config) => {
      const pulls = numberAt(config, "maxParallelImagePulls");
      if (pulls === undefined || pulls < 2 || config.given("serializeImagePulls") !== true) return undefined;
      return `Cannot use ${pulls} as maxParallelImagePulls with serializeImagePulls true: that allows one pull at a time`;
    },
  },
  {
    since: 27,
    fields: ["enableSystemLogQuery", "enableSystemLogHandler"],
    complaint: (config) => {
      if (config.value("enableSystemLogQuery") !== true || config.value("enableSystemLogHandler") !== false) return undefined;
      return "Cannot use enableSystemLogQuery true with enableSystemLogHandler false: the handler answers the queries";
    },
  },
  {
    since: 32,
    fields: ["runOnce"],
    complaint: (config) => (config.value("runOnce") === true ? "Cannot use runOnce true: kubelet no longer runs pods once and exits" : undefined),
  },
  {
    since: 33,
    fields: ["preloadedImagesVerificationAllowlist", "imagePullCredentialsVerificationPolicy"],
    complaint: (config) => {
      const policy = textAt(config, "imagePullCredentialsVerificationPolicy");
      if (wordsAt(config, "preloadedImagesVerificationAllowlist").length === 0 || policy === "NeverVerifyAllowlistedImages") return undefined;
      return `Cannot use preloadedImagesVerificationAllowlist with imagePullCredentialsVerificationPolicy ${quote(policy)}: kubelet reads the list under "NeverVerifyAllowlistedImages" only`;
    },
  },
];

/** In nanoseconds. */
const DEFAULT_QUOTA_PERIOD = ONE_SECOND / 10n;

/** A field that kubelet refuses while a gate is off. A gate of unknown state is taken for on. */
function gateRule(gate: Gate, fields: readonly string[], isUsed: (config: EffectiveConfig) => boolean, since = 20, until?: number): Rule {
  return {
    since,
    ...(until === undefined ? {} : { until }),
    fields: [...fields, "featureGates"],
    complaint: (config) => (isUsed(config) && isGateOn(config, gate) === false ? `Cannot use ${fields.join(", ")} while the feature gate ${gate} is off` : undefined),
  };
}

function hasPriorities(config: EffectiveConfig): boolean {
  const priorities = config.value("shutdownGracePeriodByPodPriority");
  return Array.isArray(priorities) && priorities.length > 0;
}
