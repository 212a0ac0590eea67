import type { Given } from "./given.ts";
import { parseSeconds, matching, wholeNumber, type Parser } from "./setting-values.ts";
import { readValue } from "./settings.ts";
import type { Problem } from "./problems.ts";

/** What bootstrap.sh could be told of how to ask, rather than of the node. Absent means that the agent's own ways hold. */
export type GatherOverrides = {
  /** Tries of DescribeCluster after the first. */
  readonly eksRetryAttempts?: number;
  /** A URL, or a host with or without a port. */
  readonly imdsEndpoint?: string;
  readonly imdsRetries?: number;
  readonly imdsRetryDelaySeconds?: number;
  readonly imdsTokenTtlSeconds?: number;
  readonly privateDnsNameMaxAttempts?: number;
  readonly privateDnsNameAttemptIntervalSeconds?: number;
};

type Override<Key extends keyof GatherOverrides> = {
  readonly key: Key;
  readonly option?: string;
  readonly variable: string;
  readonly parse: Parser<NonNullable<GatherOverrides[Key]>>;
};

type AnyOverride = { readonly [Key in keyof GatherOverrides]-?: Override<Key> }[keyof GatherOverrides];

/** The longest life that IMDS gives a token. */
const SIX_HOURS = 21_600;

export const OVERRIDES: readonly AnyOverride[] = [
  { key: "eksRetryAttempts", option: "aws-api-retry-attempts", variable: "API_RETRY_ATTEMPTS", parse: wholeNumber(0, 1000) },
  { key: "imdsEndpoint", variable: "IMDS_ENDPOINT", parse: matching(/^(https?:\/\/)?[\w.:[\]-]+\/*$/i, "a host, or a URL without a path") },
  { key: "imdsRetries", variable: "IMDS_RETRIES", parse: wholeNumber(0, 1000) },
  { key: "imdsRetryDelaySeconds", variable: "IMDS_RETRY_DELAY_SECONDS", parse: parseSeconds },
  { key: "imdsTokenTtlSeconds", variable: "IMDS_TOKEN_TTL_SECONDS", parse: wholeNumber(1, SIX_HOURS) },
  { key: "privateDnsNameMaxAttempts", variable: "PRIVATE_DNS_NAME_MAX_ATTEMPTS", parse: wholeNumber(1, 1000) },
  { key: "privateDnsNameAttemptIntervalSeconds", variable: "PRIVATE_DNS_NAME_ATTEMPT_INTERVAL", parse: parseSeconds },
];

export function readGatherOverrides(given: Given): { readonly overrides: GatherOverrides; readonly problems: readonly Problem[] } {
  const readings = OVERRIDES.map((override) => readOverride(override, given));
  const overrides = readings.reduce<GatherOverrides>((all, { part }) => ({ ...all, ...part }), {});
  return { overrides, problems: readings.flatMap(({ problems }) => problems) };
}

function readOverride({ key, option, variable, parse }: AnyOverride, given: Given): { part: GatherOverrides; problems: Problem[] } {
  const text = given.find(option, variable);
  if (text === undefined) return { part: {}, problems: [] };
  const reading = readValue<number | string>(parse, text);
  return "problem" in reading ? { part: {}, problems: [reading.problem] } : { part: { [key]: reading.value.value }, problems: [] };
}
