import { parseChoice, refuseUsage } from "./flag-values.ts";
import { absolutePath, choiceOf, type Given, valueOf } from "./given.ts";
import type { LogLevel } from "./log.ts";
import { REPORT_FORMATS } from "./options.ts";

export type ReportFlags = {
  /** Absolute; undefined for the last run of the machine below `root`. */
  readonly file: string | undefined;
  readonly output: (typeof REPORT_FORMATS)[number];
  readonly root: string;
  readonly logLevel: LogLevel;
};

/** @throws AgentError "usage" for more than one file, or an unknown format */
export function reportFlags([file, second]: readonly string[], given: Given): ReportFlags {
  if (second !== undefined) refuseUsage(`"${second}" is one word too many: the file is "${file}" already`);
  return {
    file: file === undefined ? undefined : absolutePath(file, true),
    output: parseChoice("output", valueOf(given, "output"), REPORT_FORMATS) ?? "text",
    root: valueOf(given, "root") ?? "/",
    logLevel: choiceOf(given, "log-level") ?? "info",
  };
}
