import { numberAt, objectsAt } from "../effective-config.ts";
import { quote } from "../finding.ts";
import type { Rule } from "./rule.ts";
import { numberRule } from "./rule.ts";

/** Numbers with bounds. */
export const NUMBER_RULES: readonly Rule[] = [
  numberRule("nodeLeaseDurationSeconds", 1),
  numberRule("eventBurst", 0),
  numberRule("eventRecordQPS", 0),
  numberRule("kubeAPIBurst", 0),
  numberRule("kubeAPIQPS", 0),
  numberRule("maxOpenFiles", 0),
  numberRule("maxPods", 0),
  numberRule("podsPerCore", 0),
  numberRule("registryBurst", 0),
  numberRule("registryPullQPS", 0),
  numberRule("nodeStatusMaxImages", -1),
  numberRule("port", 1, 65535),
  numberRule("readOnlyPort", 0, 65535),
  numberRule("healthzPort", 0, 65535),
  numberRule("imageGCHighThresholdPercent", 0, 100),
  numberRule("imageGCLowThresholdPercent", 0, 100),
  numberRule("iptablesDropBit", 0, 31),
  numberRule("iptablesMasqueradeBit", 0, 31),
  numberRule("oomScoreAdj", -1000, 1000),
  numberRule("maxParallelImagePulls", 1, undefined, 27),
  numberRule("containerLogMaxWorkers", 1, undefined, 30),
  // Validated from 1.33 on; before, kubelet's log manager ended on it a moment later.
  numberRule("containerLogMaxFiles", 2),
  numberRule("tracing.samplingRatePerMillion", 0, 1_000_000, 25),
  numberRule("logging.verbosity", 0, 2 ** 31 - 1, 23),
  {
    since: 20,
    fields: ["imageGCLowThresholdPercent", "imageGCHighThresholdPercent"],
    complaint: (config) => {
      const [low, high] = [numberAt(config, "imageGCLowThresholdPercent"), numberAt(config, "imageGCHighThresholdPercent")];
      if (low === undefined || high === undefined || low < high) return undefined;
      return `Cannot use ${low} as imageGCLowThresholdPercent: kubelet demands less than imageGCHighThresholdPercent, which is ${high}`;
    },
  },
  {
    since: 22,
    fields: ["memoryThrottlingFactor"],
    complaint: (config) => {
      const factor = numberAt(config, "memoryThrottlingFactor");
      if (factor === undefined || (factor > 0 && factor <= 1)) return undefined;
      return `Cannot use ${factor} as memoryThrottlingFactor: kubelet accepts more than 0 and up to 1`;
    },
  },
  {
    since: 33,
    fields: ["userNamespaces.idsPerPod"],
    complaint: (config) => {
      const ids = numberAt(config, "userNamespaces.idsPerPod");
      if (ids === undefined || (ids >= ID_UNIT && ids % ID_UNIT === 0 && ids < 2 ** 32)) return undefined;
      return `Cannot use ${ids} as userNamespaces.idsPerPod: kubelet accepts multiples of ${ID_UNIT} below ${2 ** 32}`;
    },
  },
  {
    since: 23,
    fields: ["logging.vmodule"],
    complaint: (config) => {
      const verbosity = objectsAt(config, "logging.vmodule").map((module) => module["verbosity"]);
      const tooMuch = verbosity.find((value) => typeof value === "number" && value > 2 ** 31 - 1);
      return tooMuch === undefined ? undefined : `Cannot use ${quote(tooMuch)} as verbosity in logging.vmodule: kubelet accepts 0 to ${2 ** 31 - 1}`;
    },
  },
];

/** User and group ids are handed to pods in units of this size. */
const ID_UNIT = 65536;
