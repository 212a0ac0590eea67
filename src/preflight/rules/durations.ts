import { ONE_SECOND } from "../../lib/duration.ts";
import { durationAt, textAt } from "../effective-config.ts";
import { quote } from "../finding.ts";
import type { Rule } from "./rule.ts";
import { durationRule } from "./rule.ts";

const ONE_MILLISECOND = ONE_SECOND / 1000n;
const ONE_MICROSECOND = ONE_SECOND / 1_000_000n;

/** Durations with bounds. */
export const DURATION_RULES: readonly Rule[] = [
  durationRule("shutdownGracePeriod", "zero, or one second and more", isZeroOrASecond),
  durationRule("shutdownGracePeriodCriticalPods", "zero, or one second and more", isZeroOrASecond),
  durationRule("cpuCFSQuotaPeriod", "1us to 1s", (period) => period >= ONE_MICROSECOND && period <= ONE_SECOND, 20, 25),
  durationRule("cpuCFSQuotaPeriod", "1ms to 1s", (period) => period >= ONE_MILLISECOND && period <= ONE_SECOND, 26),
  durationRule("imageMaximumGCAge", "zero and more", (age) => age >= 0n, 29),
  durationRule("imageMinimumGCAge", "zero and more", (age) => age >= 0n, 36),
  durationRule("containerLogMonitorInterval", "3s and more", (interval) => interval >= 3n * ONE_SECOND, 30),
  durationRule("crashLoopBackOff.maxContainerRestartPeriod", "1s to 300s", (period) => period >= ONE_SECOND && period <= 300n * ONE_SECOND, 32),
  durationRule("logging.flushFrequency", "more than zero", (frequency) => frequency > 0n, 35),
  {
    since: 20,
    fields: ["shutdownGracePeriodCriticalPods", "shutdownGracePeriod"],
    complaint: (config) => {
      const total = durationAt(config, "shutdownGracePeriod") ?? 0n;
      const critical = durationAt(config, "shutdownGracePeriodCriticalPods");
      if (critical === undefined || critical <= total) return undefined;
      const limit = textAt(config, "shutdownGracePeriod") ?? "not set";
      return `Cannot use ${quote(textAt(config, "shutdownGracePeriodCriticalPods"))} as shutdownGracePeriodCriticalPods: it is a part of shutdownGracePeriod, which is ${limit}`;
    },
  },
  {
    since: 29,
    fields: ["imageMaximumGCAge", "imageMinimumGCAge"],
    complaint: (config) => {
      const [most, least] = [durationAt(config, "imageMaximumGCAge"), durationAt(config, "imageMinimumGCAge")];
      if (most === undefined || least === undefined || most <= 0n || most > least) return undefined;
      return `Cannot use ${quote(textAt(config, "imageMaximumGCAge"))} as imageMaximumGCAge: kubelet demands more than imageMinimumGCAge, which is ${textAt(config, "imageMinimumGCAge") ?? ""}`;
    },
  },
];

function isZeroOrASecond(period: bigint): boolean {
  return period === 0n || period >= ONE_SECOND;
}
