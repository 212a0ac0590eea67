import { resolve } from "node:path";
import type { Environment } from "./environment.ts";
import { AFTER_DASHES, refuseUsage } from "./flag-values.ts";
import { choiceOf, type Given, valueOf } from "./given.ts";
import type { LogLevel } from "./log.ts";

export type MigrateFlags = {
  readonly from: MigrateSource;
  readonly logLevel: LogLevel;
};

export type MigrateSource =
  /** The words of bootstrap.sh, or of the agent in its place, with the variables that are set beside them. */
  | { readonly kind: "words"; readonly words: readonly string[]; readonly environment: Environment }
  /** A file, or undefined for standard input. */
  | { readonly kind: "user-data"; readonly file: string | undefined }
  /** The folder of eksctl's kubelet.env and kubelet-extra.json. */
  | { readonly kind: "eksctl"; readonly folder: string };

/**
 * @param positionals words before `--`
 * @param words those after it, as they are
 * @throws AgentError "usage" unless one source is named
 */
export function migrateFlags(positionals: readonly string[], words: readonly string[], given: Given, environment: Environment): MigrateFlags {
  if (positionals[0] !== undefined) refuseUsage(`"${positionals[0]}" is one word too many`, AFTER_DASHES);
  const userData = given.get("user-data")?.at(-1) ?? "";
  const folder = valueOf(given, "eksctl");
  const sources: readonly MigrateSource[] = [
    ...(words.length > 0 ? [{ kind: "words", words, environment } as const] : []),
    ...(userData === "" ? [] : [{ kind: "user-data", file: userData === "-" ? undefined : resolve(userData) } as const]),
    ...(folder === undefined ? [] : [{ kind: "eksctl", folder } as const]),
  ];
  const [from, second] = sources;
  if (from === undefined) return refuseUsage("There is nothing to migrate", `${AFTER_DASHES} Or name a file with --user-data, or a folder with --eksctl.`);
  if (second !== undefined) return refuseUsage("There is more than one thing to migrate", "Give either words after --, or --user-data, or --eksctl.");
  return { from, logLevel: choiceOf(given, "log-level") ?? "info" };
}
