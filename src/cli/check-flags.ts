import { refuseUsage } from "./flag-values.ts";
import { choiceOf, configSources, valueOf, type Given } from "./given.ts";
import type { LogLevel } from "./log.ts";

export type CheckFlags = {
  /** Files and folders, "-" for standard input. Empty when the sources of a run are checked. */
  readonly files: readonly string[];
  /** Empty when the usual places hold. */
  readonly configSources: readonly string[];
  readonly output: "text" | "json";
  readonly root: string;
  readonly logLevel: LogLevel;
};

/** @throws AgentError "usage" when both files and sources are named */
export function checkFlags(files: readonly string[], given: Given): CheckFlags {
  const sources = configSources(given);
  if (files.length > 0 && sources.length > 0) refuseUsage("--config-source goes without files", "Name all of them as files, or all of them as sources.");
  return {
    files,
    configSources: sources,
    output: choiceOf(given, "output") ?? "text",
    root: valueOf(given, "root") ?? "/",
    logLevel: choiceOf(given, "log-level") ?? "info",
  };
}
