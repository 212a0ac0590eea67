import { readFileSync } from "node:fs";
import { AgentError, errnoOf } from "../errors.ts";
import { amazonRoots } from "./amazon-roots.ts";

export type Environment = Readonly<Record<string, string | undefined>>;

export type Trust = {
  /** PEM texts of the certificate authorities to trust. */
  readonly certificates: readonly string[];
  /** Those of them that AWS's endpoints are known by; none where the operator named whom to trust. */
  readonly likely: readonly string[];
  /** The file that they are from, with the variable that named it. */
  readonly source: string;
  /** What the operator should know about it. */
  readonly notes: readonly string[];
};

/** Red Hat's and Amazon Linux's, Debian's, Alpine's. */
export const CA_BUNDLES = ["/etc/pki/tls/certs/ca-bundle.crt", "/etc/ssl/certs/ca-certificates.crt", "/etc/ssl/cert.pem"] as const;

const BUNDLE_VARIABLES = ["AWS_CA_BUNDLE", "SSL_CERT_FILE"] as const;

/**
 * Whom to trust in HTTPS: one file that the operator named, else the machine's own bundle, else the roots built into Node.js.
 *
 * @throws AgentError "config-invalid" when a file that a variable names cannot be used
 */
export async function readTrust(environment: Environment, bundles: readonly string[] = CA_BUNDLES): Promise<Trust> {
  // In place: the connection is waited for, and to wait for a file takes longer than to read it.
  const trust = readNamedBundle(environment) ?? readFirstBundle(bundles) ?? (await builtInRoots(bundles));
  return addExtra(trust, environment["NODE_EXTRA_CA_CERTS"]);
}

function readNamedBundle(environment: Environment): Trust | undefined {
  const variable = BUNDLE_VARIABLES.find((name) => isSet(environment[name]));
  const path = variable === undefined ? undefined : environment[variable];
  if (variable === undefined || path === undefined) return undefined;
  return { certificates: [readBundle(path, variable)], likely: [], source: `${path} (${variable})`, notes: [] };
}

function readFirstBundle(bundles: readonly string[]): Trust | undefined {
  for (const path of bundles) {
    const text = readIfThere(path);
    if (hasCertificate(text)) return { certificates: [text], likely: amazonRoots(text), source: path, notes: [] };
  }
  return undefined;
}

async function builtInRoots(bundles: readonly string[]): Promise<Trust> {
  const { rootCertificates } = await import("node:tls");
  const note = `No certificate bundle at ${bundles.join(", ")}: HTTPS trusts the roots built into the agent, which age with it`;
  return { certificates: rootCertificates, likely: rootCertificates.flatMap(amazonRoots), source: "roots built into Node.js", notes: [note] };
}

function addExtra(trust: Trust, path: string | undefined): Trust {
  if (!isSet(path)) return trust;
  const extra = readBundle(path, "NODE_EXTRA_CA_CERTS");
  return { ...trust, certificates: [...trust.certificates, extra], source: `${trust.source} and ${path} (NODE_EXTRA_CA_CERTS)` };
}

function readIfThere(path: string): string {
  try {
    return readFileSync(path, "utf8");
  } catch {
    return "";
  }
}

function readBundle(path: string, variable: string): string {
  const unusable = (why: string, cause?: unknown): AgentError =>
    new AgentError("config-invalid", `Cannot use "${path}", named by ${variable}, as a bundle of certificate authorities: ${why}`, {
      remedy: `Let ${variable} name a file of PEM certificates, or unset it to trust the machine's own bundle.`,
      cause,
    });
  let text: string;
  try {
    text = readFileSync(path, "utf8");
  } catch (error) {
    throw unusable(errnoOf(error) === "ENOENT" ? "there is no such file" : String(errnoOf(error)), error);
  }
  if (!hasCertificate(text)) throw unusable("it has no line -----BEGIN CERTIFICATE-----");
  return text;
}

function hasCertificate(text: string): boolean {
  return text.includes("-----BEGIN CERTIFICATE-----");
}

function isSet(value: string | undefined): value is string {
  return value !== undefined && value !== "";
}
