import type { Clock } from "../io/retry.ts";
import type { Environment } from "../io/tls-trust.ts";
import type { OnEvent } from "./events.ts";
import type { HostTargets } from "./host.ts";

export type ImdsSettings = {
  /** "http://169.254.169.254", no slash at the end; see imdsEndpoint(). */
  readonly endpoint: string;
  /** 21600 unless given. */
  readonly tokenTtlSeconds?: number;
  /** To begin with, instead of one that is asked for first. */
  readonly token?: string;
  /** Tries after the first (IMDS_RETRIES); until the deadline unless given. */
  readonly retries?: number;
  /** Fixed wait between tries (IMDS_RETRY_DELAY_SECONDS); backoff unless given. */
  readonly retryDelayMs?: number;
};

/** How to gather. Whatever an operator or a test can turn. */
export type GatherSettings = {
  /** Directory below which the host is looked at; "" is this machine. */
  readonly root: string;
  /** What of the host is asked for: the lists in resolve/facts.ts. */
  readonly host: HostTargets;
  /** Time of `clock.now()` after which nothing is waited for. */
  readonly deadlineAt: number;
  readonly imds: ImdsSettings;
  /** `--aws-api-retry-attempts`: tries of DescribeCluster after the first. */
  readonly describeClusterRetries?: number;
  readonly privateDnsName?: { readonly maxTries?: number; readonly intervalMs?: number };
  /** Credentials, endpoints, proxies and CA bundles of AWS calls. */
  readonly environment: Environment;
  /**
   * Host name of an AWS API from the table of partitions; undefined for a region that it does not know, in which
   * case it is made from the instance's own DNS suffix.
   */
  readonly apiHost?: (service: AwsService, region: string, variant: EndpointVariant) => string | undefined;
  /** Bundles of certificate authorities, the first that exists is trusted; CA_BUNDLES unless given. */
  readonly caBundles?: readonly string[];
  /** Name servers as host:port; those of /etc/resolv.conf unless given. */
  readonly nameServers?: readonly string[];
  readonly clock: Clock;
  readonly onEvent: OnEvent;
  /** Told each time that a request of an AWS API goes out over its connection. */
  readonly onAwsAsked?: () => void;
};

/** AWS's APIs by their names in the table of host names. */
export type AwsService = "eks" | "ec2" | "ecr_api";

export type EndpointVariant = "plain" | "dualStack" | "fips" | "fipsDualStack";
