import { isJsonObject, parseJson } from "../lib/json.ts";
import type { Credentials } from "../io/smithy.ts";

/** IMDS says that it has none by a code, such as "AssumeRoleUnauthorizedAccess". */
export type CredentialsAnswer = { readonly kind: "given"; readonly credentials: Credentials } | { readonly kind: "refused"; readonly code: string };

/** The JSON in which IMDS and the container agents give credentials that end; undefined for anything else. */
export function parseCredentials(text: string): CredentialsAnswer | undefined {
  const json = parseJson(text);
  if (!isJsonObject(json)) return undefined;
  const { Code: code, AccessKeyId: accessKeyId, SecretAccessKey: secretAccessKey, Token: sessionToken, Expiration: end } = json;
  if (typeof code === "string" && code !== "Success") return { kind: "refused", code: code.slice(0, 100) };
  if (!isText(accessKeyId) || !isText(secretAccessKey) || !isText(sessionToken) || !isText(end)) return undefined;
  const expiration = new Date(end);
  if (Number.isNaN(expiration.getTime())) return undefined;
  return { kind: "given", credentials: { accessKeyId, secretAccessKey, sessionToken, expiration } };
}

function isText(value: unknown): value is string {
  return typeof value === "string" && value !== "";
}
