import { objectsAt, textAt } from "../effective-config.ts";
import { quote } from "../finding.ts";
import type { Rule } from "./rule.ts";
import { choiceRule } from "./rule.ts";

/** Texts that must be one of a few words, or of a certain form. */
export const CHOICE_RULES: readonly Rule[] = [
  choiceRule("authorization.mode", ["AlwaysAllow", "Webhook"]),
  choiceRule("hairpinMode", ["promiscuous-bridge", "hairpin-veth", "none"]),
  choiceRule("cpuManagerPolicy", ["none", "static"]),
  choiceRule("memoryManagerPolicy", ["None", "Static"], 22),
  choiceRule("topologyManagerPolicy", ["none", "best-effort", "restricted", "single-numa-node"]),
  choiceRule("topologyManagerScope", ["container", "pod"]),
  choiceRule("configMapAndSecretChangeDetectionStrategy", ["Get", "Cache", "Watch"]),
  choiceRule("tlsMinVersion", ["VersionTLS10", "VersionTLS11", "VersionTLS12", "VersionTLS13"]),
  choiceRule("memorySwap.swapBehavior", ["LimitedSwap", "UnlimitedSwap"], 22, 29),
  choiceRule("memorySwap.swapBehavior", ["LimitedSwap", "NoSwap"], 30),
  choiceRule("imagePullCredentialsVerificationPolicy", ["NeverVerify", "NeverVerifyPreloadedImages", "NeverVerifyAllowlistedImages", "AlwaysVerify"], 33),
  choiceRule("memoryReservationPolicy", ["None", "TieredReservation"], 36),
  choiceRule("logging.format", ["text", "json"]),
  {
    since: 23,
    fields: ["logging.vmodule", "logging.format"],
    complaint: (config) => {
      if (textAt(config, "logging.format") === "text" || objectsAt(config, "logging.vmodule").length === 0) return undefined;
      return `Cannot use logging.vmodule with logging.format ${quote(textAt(config, "logging.format"))}: it is only for the format "text"`;
    },
  },
  {
    since: 23,
    fields: ["logging.vmodule"],
    complaint: (config) => {
      const patterns = objectsAt(config, "logging.vmodule").map((module) => module["filePattern"] ?? "");
      const wrong = patterns.find((pattern) => typeof pattern === "string" && (pattern === "" || /[=,]/.test(pattern)));
      return wrong === undefined ? undefined : `Cannot use ${quote(wrong)} as filePattern in logging.vmodule: kubelet demands a pattern without "=" and ","`;
    },
  },
  {
    since: 25,
    fields: ["tracing.endpoint"],
    complaint: (config) => {
      const endpoint = textAt(config, "tracing.endpoint");
      if (endpoint === undefined || !endpoint.includes("//") || /^(dns|unix|unix-abstract):/.test(endpoint)) return undefined;
      return `Cannot use ${quote(endpoint)} as tracing.endpoint: kubelet accepts "host:port" and the schemes dns, unix and unix-abstract`;
    },
  },
  {
    since: 27,
    fields: ["containerRuntimeEndpoint"],
    complaint: (config) => (config.value("containerRuntimeEndpoint") === "" ? "Cannot use an empty containerRuntimeEndpoint: kubelet demands the socket of the container runtime" : undefined),
  },
  {
    since: 30,
    fields: ["podLogsDir"],
    complaint: (config) => {
      const path = textAt(config, "podLogsDir");
      if (path === undefined || isPlainAbsolutePath(path)) return undefined;
      return `Cannot use ${quote(path)} as podLogsDir: kubelet demands an absolute path in ASCII without "//", "/./", "/../" and a slash at its end`;
    },
  },
];

function isPlainAbsolutePath(path: string): boolean {
  if (path === "/") return true;
  return /^(\/[\x00-\x2e\x30-\x7f]+)+$/.test(path) && path.split("/").every((part) => part !== "." && part !== "..");
}
