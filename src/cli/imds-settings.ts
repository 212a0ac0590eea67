import { imdsEndpoint } from "../gather/imds-endpoint.ts";
import { parseToken } from "../gather/imds.ts";
import type { ImdsSettings } from "../gather/settings.ts";
import type { Environment } from "./environment.ts";
import { refuseUsage } from "./flag-values.ts";

/**
 * How AL2's program imds asks: by its variables, with its defaults.
 *
 * @throws AgentError "usage" for a value that is none
 */
export function imdsSettings(environment: Environment): ImdsSettings {
  const endpoint = environment["IMDS_ENDPOINT"];
  const token = tokenOf(environment);
  return {
    endpoint: endpoint ? imdsEndpoint({}, endpoint) : imdsEndpoint(environment),
    tokenTtlSeconds: numberOf("IMDS_TOKEN_TTL_SECONDS", environment) ?? 900,
    retries: numberOf("IMDS_RETRIES", environment) ?? 10,
    retryDelayMs: 1000 * (numberOf("IMDS_RETRY_DELAY_SECONDS", environment) ?? 1),
    ...(token === undefined ? {} : { token }),
  };
}

/** Its value is not shown. */
function tokenOf({ IMDS_TOKEN: token }: Environment): string | undefined {
  if (!token) return undefined;
  return parseToken(token) ?? refuseUsage("Cannot use the token in IMDS_TOKEN: it is none of IMDS's", "Unset it, and a token is asked for.");
}

function numberOf(name: string, environment: Environment): number | undefined {
  const text = environment[name];
  if (!text) return undefined;
  return /^\d{1,6}$/.test(text) ? Number(text) : refuseUsage(`Cannot use "${text}" as ${name}: expected a whole number`, `Correct ${name}, or unset it.`);
}
