import { createHash, createHmac } from "node:crypto";
import type { IncomingMessage } from "node:http";
import type { Answer } from "./answer.ts";
import { ec2Error } from "./ec2.ts";
import { ecrError } from "./ecr.ts";
import { eksError } from "./eks.ts";
import type { World } from "./world.ts";

/**
 * What AWS answers to a request with Signature Version 4: `answer`, or the error of a wrong signature.
 * Source: "Signature Version 4 signing process", written anew so that the agent's signer is checked by other code.
 */
export function answerSigned(request: IncomingMessage, body: string, service: ApiService, world: World, answer: () => Answer): Answer {
  const given = signatureProblem(request, body, service, world) ?? answer();
  return { ...given, headers: { ...given.headers, date: new Date(Date.now() + world.clockAheadMs).toUTCString() } };
}

type ApiService = keyof typeof ERRORS;

const ERRORS = { eks: eksError, ec2: ec2Error, ecr: ecrError } as const;

const FIVE_MINUTES_MS = 300_000;

function signatureProblem(request: IncomingMessage, body: string, service: ApiService, world: World): Answer | undefined {
  const error = ERRORS[service];
  const parsed = AUTHORIZATION.exec(request.headers.authorization ?? "")?.groups;
  if (parsed === undefined) return error(403, "MissingAuthenticationToken", "Missing Authentication Token");
  const { key, date, region, scope, signed, signature } = parsed as Record<string, string>;
  if (key !== world.credentials.accessKeyId) return error(403, "UnrecognizedClientException", "The security token included in the request is invalid.");
  if (header(request, "x-amz-security-token") !== world.credentials.token) return error(403, "UnrecognizedClientException", "The security token is not the role's.");
  if (region !== world.region || scope !== service) return error(403, "SignatureDoesNotMatch", `Credential should be scoped to ${world.region}/${service}.`);
  const signedAt = Date.parse(header(request, "x-amz-date").replace(/^(....)(..)(..)T(..)(..)(..)Z$/, "$1-$2-$3T$4:$5:$6Z"));
  if (Math.abs(Date.now() + world.clockAheadMs - signedAt) > FIVE_MINUTES_MS) return error(403, "SignatureDoesNotMatch", "Signature expired.");
  const expected = sign(request, body, signed ?? "", `${date}/${region}/${scope}/aws4_request`, world.credentials.secretAccessKey);
  return expected === signature ? undefined : error(403, "SignatureDoesNotMatch", "The request signature we calculated does not match.");
}

const AUTHORIZATION =
  /^AWS4-HMAC-SHA256 Credential=(?<key>[^/]+)\/(?<date>\d{8})\/(?<region>[^/]+)\/(?<scope>[^/]+)\/aws4_request, SignedHeaders=(?<signed>[^,]+), Signature=(?<signature>[0-9a-f]{64})$/;

function sign(request: IncomingMessage, body: string, signedHeaders: string, scope: string, secret: string): string {
  const url = new URL(request.url ?? "/", "http://simulator");
  const headers = signedHeaders.split(";").map((name) => `${name}:${header(request, name).trim().replaceAll(/ +/g, " ")}\n`);
  const path = url.pathname.split("/").map(encodeURIComponent).join("/");
  const canonical = [request.method, path, url.search.slice(1), headers.join(""), signedHeaders, sha256(body)].join("\n");
  const text = ["AWS4-HMAC-SHA256", header(request, "x-amz-date"), scope, sha256(canonical)].join("\n");
  const key = scope.split("/").reduce<Buffer>((previous, part) => hmac(previous, part), Buffer.from(`AWS4${secret}`));
  return hmac(key, text).toString("hex");
}

function header(request: IncomingMessage, name: string): string {
  return String(request.headers[name] ?? "");
}

function sha256(text: string): string {
  return createHash("sha256").update(text).digest("hex");
}

function hmac(key: Buffer, text: string): Buffer {
  return createHmac("sha256", key).update(text).digest();
}
