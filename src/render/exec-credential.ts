/** Versions of client-go's API for credential plugins that the agent speaks. */
export type ExecApiVersion = "client.authentication.k8s.io/v1" | "client.authentication.k8s.io/v1beta1";

export type ClusterToken = {
  /** A presigned GetCallerIdentity. */
  readonly url: string;
  readonly expiresAt: Date;
};

/** The ExecCredential that a credential plugin prints: the URL as a token of aws-iam-authenticator's form, and its end. */
export function renderExecCredential({ url, expiresAt }: ClusterToken, apiVersion: ExecApiVersion): string {
  const token = `k8s-aws-v1.${Buffer.from(url).toString("base64url")}`;
  // Kubernetes writes whole seconds.
  const expirationTimestamp = expiresAt.toISOString().replace(/\.\d{3}Z$/, "Z");
  return `${JSON.stringify({ kind: "ExecCredential", apiVersion, spec: {}, status: { expirationTimestamp, token } })}\n`;
}
