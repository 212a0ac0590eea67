import type { ServerResponse } from "node:http";
import type { Answer } from "./answer.ts";
import { ec2Error } from "./ec2.ts";
import { ecrError } from "./ecr.ts";
import { eksError } from "./eks.ts";
import type { World } from "./world.ts";

/**
 * Something that goes wrong. `on` is a path below IMDS ("/latest/meta-data/mac", "/latest/api/token"), or one of
 * "DescribeCluster", "DescribeInstances", "DescribeInstanceTypes", "GetAuthorizationToken"; a final "*" matches whatever follows.
 * The first `times` matching requests meet it (all of them unless given), later ones are answered well.
 */
export type Fault = { readonly on: string; readonly times?: number } & FaultKind;

export type FaultKind =
  /** A page of HTML with status 200, as captive portals and proxies send. */
  | { readonly kind: "html" }
  | { readonly kind: "empty" }
  | { readonly kind: "status"; readonly status: number; readonly body?: string }
  /** An error by name, in the API's own shape. */
  | { readonly kind: "error"; readonly status: number; readonly name: string; readonly message?: string }
  /** The connection is closed by RST before an answer. */
  | { readonly kind: "reset" }
  /** Accepted and never answered. */
  | { readonly kind: "hang" }
  /** One byte each `byteMs`. */
  | { readonly kind: "slow"; readonly byteMs: number }
  /** Half of the announced body, then the connection is closed. */
  | { readonly kind: "truncated" }
  /** Answered well, of another world: a cluster still CREATING, null fields, an empty name. */
  | { readonly kind: "world"; readonly change: (world: World) => World };

/** Finds the fault that a request meets, and counts it. */
export function faultFinder(faults: readonly Fault[]): (target: string) => Fault | undefined {
  const met = new Map<Fault, number>();
  return (target) => {
    const fault = faults.find((candidate) => isMatch(candidate.on, target) && (met.get(candidate) ?? 0) < (candidate.times ?? Infinity));
    if (fault !== undefined) met.set(fault, (met.get(fault) ?? 0) + 1);
    return fault;
  };
}

function isMatch(pattern: string, target: string): boolean {
  return pattern.endsWith("*") ? target.startsWith(pattern.slice(0, -1)) : pattern === target;
}

const HTML = "<!DOCTYPE html>\n<html><head><title>Sign in</title></head><body>Please sign in to this network.</body></html>\n";

/** Sends `answer`, or what `fault` makes of it; `target` decides the shape of an error. */
export function sendAnswer(response: ServerResponse, answer: Answer, fault: Fault | undefined, target: string): void {
  switch (fault?.kind) {
    case undefined:
    case "world":
      return send(response, answer);
    case "html":
      return send(response, { status: 200, body: HTML, headers: { "content-type": "text/html" } });
    case "empty":
      return send(response, { status: 200, body: "" });
    case "status":
      return send(response, { status: fault.status, body: fault.body ?? "" });
    case "error":
      return send(response, namedError(target)(fault.status, fault.name, fault.message ?? "simulated"));
    case "reset":
      response.socket?.resetAndDestroy();
      return;
    case "hang":
      return;
    case "slow":
      return sendSlowly(response, answer, fault.byteMs);
    case "truncated":
      return sendHalf(response, answer);
  }
}

function namedError(target: string): typeof eksError {
  if (target === "GetAuthorizationToken") return ecrError;
  return target === "DescribeCluster" ? eksError : ec2Error;
}

function send(response: ServerResponse, answer: Answer): void {
  writeHead(response, answer);
  response.end(answer.body);
}

function sendHalf(response: ServerResponse, answer: Answer): void {
  writeHead(response, answer);
  const body = Buffer.from(answer.body);
  response.write(body.subarray(0, Math.floor(body.length / 2)), () => response.socket?.destroy());
}

function sendSlowly(response: ServerResponse, answer: Answer, byteMs: number): void {
  writeHead(response, answer);
  const body = Buffer.from(answer.body);
  let sent = 0;
  const timer = setInterval(() => {
    if (sent < body.length) response.write(body.subarray(sent, ++sent));
    else response.end();
  }, byteMs);
  response.on("close", () => clearInterval(timer));
}

function writeHead(response: ServerResponse, answer: Answer): void {
  response.writeHead(answer.status, { "content-length": Buffer.byteLength(answer.body), ...answer.headers });
}
