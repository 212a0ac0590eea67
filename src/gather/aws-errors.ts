import { RemoteFailure } from "./failures.ts";
import type { FailureDetails } from "./failures.ts";

/** An error that EKS or EC2 answered. What it means is decided by its name: the same one comes with different statuses. */
export type ApiError = { readonly name: string; readonly status: number; readonly message: string };

export type ApiAction = {
  /** IAM's name of it: "eks:DescribeCluster". */
  readonly action: string;
  /** What to do when IAM does not allow it. */
  readonly deniedRemedy: string;
};

/** What to do about an error that an AWS API answered, and what to tell. */
export function apiFailure(error: ApiError, action: ApiAction): RemoteFailure {
  const kind = KINDS.find(({ names }) => names.includes(error.name)) ?? kindOfStatus(error.status);
  return new RemoteFailure(...kind.tell(showApiError(error), action));
}

/** "AccessDeniedException: User … is not authorized", cut to a line. */
export function showApiError({ name, message }: ApiError): string {
   
  const text = message.replaceAll(/[\x00-\x1f\x7f]+/g, " ").trim();
  if (text === "") return name;
  return `${name}: ${text.length > LONGEST ? `${text.slice(0, LONGEST)}…` : text}`;
}

// An UnauthorizedOperation carries a kilobyte of encoded policy.
const LONGEST = 300;

type Kind = { readonly names: readonly string[]; readonly tell: (shown: string, action: ApiAction) => [string, FailureDetails] };

const THROTTLED: Kind = {
  names: [
    "ThrottlingException",
    "Throttling",
    "ThrottledException",
    "RequestThrottled",
    "RequestThrottledException",
    "TooManyRequestsException",
    "RequestLimitExceeded",
    "BandwidthLimitExceeded",
    "EC2ThrottledException",
    "PriorRequestNotComplete",
    "SlowDown",
  ],
  tell: (shown) => [
    `it is throttled (${shown})`,
    { verdict: "retry", code: "throttled", remedy: "The account makes more calls than AWS allows: start fewer nodes at once; the agent's unit tries again." },
  ],
};

const FAILING: Kind = {
  names: [
    "ServerException",
    "ServiceUnavailableException",
    "ServiceUnavailable",
    "InternalFailure",
    "InternalError",
    "InternalServerError",
    "InternalServerException",
    "Unavailable",
    "RequestTimeout",
    "RequestTimeoutException",
  ],
  tell: (shown) => [
    `it fails (${shown})`,
    { verdict: "retry", code: "unreachable", remedy: "Look at the AWS Health Dashboard for the service in this region; the agent's unit tries again." },
  ],
};

const DENIED: Kind = {
  names: ["AccessDeniedException", "AccessDenied", "UnauthorizedOperation", "UnauthorizedException", "OptInRequired"],
  tell: (shown, { action, deniedRemedy }) => [
    `the node's credentials do not allow ${action} (${shown})`,
    { verdict: "brief", code: "access-denied", remedy: deniedRemedy },
  ],
};

const UNKNOWN_CREDENTIALS: Kind = {
  names: [
    "ExpiredTokenException",
    "ExpiredToken",
    "UnrecognizedClientException",
    "InvalidClientTokenId",
    "InvalidAccessKeyId",
    "AuthFailure",
    "InvalidSignatureException",
    "SignatureDoesNotMatch",
    "RequestExpired",
    "IncompleteSignature",
    "MissingAuthenticationToken",
    "MissingAuthenticationTokenException",
  ],
  tell: (shown) => [
    `AWS does not accept the node's credentials (${shown})`,
    {
      verdict: "brief",
      code: "access-denied",
      remedy: "Check the instance's clock (chronyc tracking), that the role of its instance profile still exists, and that no stale AWS_ACCESS_KEY_ID is set.",
    },
  ],
};

const REFUSED: Kind = {
  names: [],
  tell: (shown, { action }) => [
    `it refuses the request (${shown})`,
    { verdict: "fatal", code: "config-invalid", remedy: `Check the names and the region that ${action} was called with.` },
  ],
};

const KINDS: readonly Kind[] = [THROTTLED, FAILING, DENIED, UNKNOWN_CREDENTIALS];

function kindOfStatus(status: number): Kind {
  if (status === 429) return THROTTLED;
  return status >= 500 ? FAILING : REFUSED;
}

/** Whether other credentials may help: those in use are to be fetched anew. */
export function isAboutCredentials(name: string): boolean {
  return UNKNOWN_CREDENTIALS.names.includes(name);
}

/** An answer that is not the API's: a proxy's page, or a truncated or empty text. */
export function notTheApi(status: number, format: string): RemoteFailure {
  const passes = status === 429 || status >= 500;
  return new RemoteFailure(`the answer (status ${status}) is not ${format}`, {
    verdict: passes ? "retry" : "brief",
    code: passes ? "unreachable" : "remote-nonsense",
    remedy: "Something other than AWS answers: look for a proxy or a login page on the way (HTTPS_PROXY, NO_PROXY, AWS_ENDPOINT_URL).",
  });
}
