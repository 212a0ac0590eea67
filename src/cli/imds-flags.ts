import type { ImdsSettings } from "../gather/settings.ts";
import type { Environment } from "./environment.ts";
import { refuseUsage } from "./flag-values.ts";
import { choiceOf, type Given } from "./given.ts";
import { imdsSettings } from "./imds-settings.ts";
import type { LogLevel } from "./log.ts";

export type ImdsFlags = {
  /** "token" for a token of IMDS, else a path. */
  readonly path: string;
  readonly settings: ImdsSettings;
  readonly logLevel: LogLevel;
};

/** @throws AgentError "usage" unless there is one path */
export function imdsFlags([path, second]: readonly string[], given: Given, environment: Environment): ImdsFlags {
  if (path === undefined) refuseUsage("The path is missing", "Give one, as in `imds meta-data/instance-id`, or `imds token`.");
  if (second !== undefined) refuseUsage(`"${second}" is one word too many: the path is "${path}" already`);
  const standard = environment["IMDS_DEBUG"] === "true" ? "debug" : "info";
  return { path, settings: imdsSettings(environment), logLevel: choiceOf(given, "log-level") ?? standard };
}
