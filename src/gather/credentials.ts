import type { Credentials } from "../io/smithy.ts";
import type { Environment } from "../io/tls-trust.ts";
import { containerCredentialsUrl, fetchContainerCredentials } from "./container-credentials.ts";
import { parseCredentials } from "./credentials-answer.ts";
import { RemoteFailure } from "./failures.ts";
import type { Imds } from "./imds.ts";
import { persistently } from "./persistently.ts";
import type { RetryContext } from "./persistently.ts";
import { IMDS_POLICY, NO_PROFILE_MS } from "./policies.ts";

/** The AWS credentials of this node. */
export type CredentialSource = {
  /** Fetched once, and again when they end within a minute. Concurrent callers share one fetch. */
  readonly get: () => Promise<Credentials>;
  /** Makes the next get() fetch again: AWS did not know these. */
  readonly forget: () => void;
};

type Context = RetryContext & { readonly environment: Environment };

/**
 * Those of the environment (AWS_ACCESS_KEY_ID, …) if they are there, else the container's (AWS_CONTAINER_CREDENTIALS_…), else
 * those of the instance's role.
 */
export function createCredentials(imds: Imds, context: Context): CredentialSource {
  const fixed = environmentCredentials(context.environment);
  let fetched: Promise<Credentials> | undefined;
  const fetchAnew = (): Promise<Credentials> => {
    const promise = fetchCredentials(imds, context);
    promise.catch(() => {
      if (fetched === promise) fetched = undefined;
    });
    return (fetched = promise);
  };
  return {
    get: async () => {
      if (fixed !== undefined) return fixed;
      const credentials = await (fetched ?? fetchAnew());
      return endsSoon(credentials, context) ? fetchAnew() : credentials;
    },
    forget: () => {
      fetched = undefined;
    },
  };
}

function environmentCredentials(environment: Environment): Credentials | undefined {
  const { AWS_ACCESS_KEY_ID: accessKeyId, AWS_SECRET_ACCESS_KEY: secretAccessKey, AWS_SESSION_TOKEN: sessionToken } = environment;
  if (!accessKeyId || !secretAccessKey) return undefined;
  return { accessKeyId, secretAccessKey, ...(sessionToken ? { sessionToken } : {}) };
}

async function fetchCredentials(imds: Imds, context: Context): Promise<Credentials> {
  const container = containerCredentialsUrl(context.environment);
  return container === undefined ? fetchRoleCredentials(imds, context) : fetchContainerCredentials(container, context);
}

const RENEWAL_MS = 60_000;

function endsSoon({ expiration }: Credentials, { clock }: Context): boolean {
  return expiration !== undefined && expiration.getTime() - clock.now() < RENEWAL_MS;
}

/**
 * @throws AgentError "no-instance-profile" when there is none two minutes after the first look
 */
async function fetchRoleCredentials(imds: Imds, context: Context): Promise<Credentials> {
  // The client tries again what fails; here it is waited for what is not there yet.
  const policy = { ...IMDS_POLICY, brief: { withinMs: NO_PROFILE_MS, delay: IMDS_POLICY.delay } };
  const task = "Cannot get the credentials of the instance's role from IMDS";
  return persistently(context, { service: "imds", target: `/latest/${ROLES}`, task, remedy: PROFILE_REMEDY, policy }, () =>
    roleCredentials(imds, context.signal),
  );
}

const ROLES = "meta-data/iam/security-credentials/";
const PROFILE_REMEDY =
  "Attach an instance profile whose role has the policy AmazonEKSWorkerNodePolicy: aws ec2 associate-iam-instance-profile --instance-id ID --iam-instance-profile Name=NAME.";

async function roleCredentials(imds: Imds, signal: AbortSignal | undefined): Promise<Credentials> {
  const role = await imds.get(ROLES, parseRole, { signal });
  if (role === undefined) throw await noRole(imds, signal);
  const answer = await imds.get(ROLES + encodeURIComponent(role), parseCredentials, { signal, isSecret: true });
  if (answer === undefined) throw notYet(`there are none yet for role "${role}"`);
  if (answer.kind === "refused") throw refused(role, answer.code);
  return answer.credentials;
}

/** iam/info tells whether an instance profile is attached whose credentials are on their way. */
async function noRole(imds: Imds, signal: AbortSignal | undefined): Promise<RemoteFailure> {
  const profile = await imds.get("meta-data/iam/info", (text) => text, { signal });
  if (profile !== undefined) return notYet("there are none yet, though the instance has an instance profile");
  return new RemoteFailure("the instance has no instance profile", { verdict: "brief", code: "no-instance-profile", remedy: PROFILE_REMEDY });
}

function notYet(reason: string): RemoteFailure {
  return new RemoteFailure(reason, { verdict: "retry", code: "unreachable", remedy: "Wait, or attach the instance profile anew; the agent's unit tries again." });
}

function refused(role: string, code: string): RemoteFailure {
  return new RemoteFailure(`EC2 cannot assume role "${role}" (${code})`, {
    verdict: "brief",
    code: "access-denied",
    remedy: "Let the role's trust policy allow sts:AssumeRole to the service ec2.amazonaws.com.",
  });
}

/** The characters that IAM allows in a role's name. */
function parseRole(text: string): string | undefined {
  const [first = ""] = text.split(/\s+/);
  return /^[\w+=,.@-]{1,64}$/.test(first) ? first : undefined;
}
