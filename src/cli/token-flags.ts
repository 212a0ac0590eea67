import type { Environment } from "./environment.ts";
import { refuseUsage } from "./flag-values.ts";
import { choiceOf, valueOf, type Given } from "./given.ts";
import type { LogLevel } from "./log.ts";
import { checkedRegion, regionOfEnvironment } from "./region.ts";

export type TokenFlags = { readonly cluster: string; readonly region: string; readonly logLevel: LogLevel };

/** @throws AgentError "usage" when the cluster or its region is missing, or is none */
export function tokenFlags([positional]: readonly string[], given: Given, environment: Environment): TokenFlags {
  if (positional !== undefined) refuseUsage(`"${positional}" is one word too many: token takes none`, `Give the cluster as --cluster ${positional}.`);
  return { cluster: clusterOf(given), region: regionOf(given, environment), logLevel: choiceOf(given, "log-level") ?? "info" };
}

function clusterOf(given: Given): string {
  const cluster = valueOf(given, "cluster") ?? refuseUsage("The cluster is missing", "Give it as --cluster NAME.");
  // It becomes a header.
  if (/^[\x21-\x7e]{1,253}$/.test(cluster)) return cluster;
  return refuseUsage(`Cannot use "${cluster}" as --cluster: expected a name without spaces`);
}

function regionOf(given: Given, environment: Environment): string {
  const region = valueOf(given, "region");
  if (region !== undefined) return checkedRegion(region, "--region");
  return regionOfEnvironment(environment) ?? refuseUsage("The region is missing", "Give it as --region REGION, or set AWS_REGION.");
}
