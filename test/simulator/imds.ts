import { randomBytes } from "node:crypto";
import type { IncomingMessage } from "node:http";
import type { Answer } from "./answer.ts";
import type { World } from "./world.ts";

const TOKEN_PATH = "/latest/api/token";
const MAX_TTL_SECONDS = 21600;

/** Tokens given out, with the time in ms at which each ends. */
export type Tokens = Map<string, number>;

/**
 * IMDSv2 as an instance with HttpTokens=required has it.
 * Source: EC2 User Guide, "Use the Instance Metadata Service"; status codes as documented there.
 */
export function answerImds(request: IncomingMessage, path: string, world: World, tokens: Tokens): Answer {
  if (path === TOKEN_PATH) return answerToken(request, tokens);
  const expiry = tokens.get(String(request.headers["x-aws-ec2-metadata-token"]));
  if (expiry === undefined || expiry <= Date.now()) return { status: 401, body: "" };
  return answerPath(path.replace(/^\/latest/, ""), imdsTree(world));
}

function answerToken(request: IncomingMessage, tokens: Tokens): Answer {
  if (request.method !== "PUT") return { status: 405, body: "" };
  if (request.headers["x-forwarded-for"] !== undefined) return { status: 403, body: "" };
  const seconds = Number(request.headers["x-aws-ec2-metadata-token-ttl-seconds"] ?? "");
  if (!Number.isInteger(seconds) || seconds < 1 || seconds > MAX_TTL_SECONDS) return { status: 400, body: "" };
  const token = randomBytes(40).toString("base64");
  tokens.set(token, Date.now() + seconds * 1000);
  return { status: 200, body: token, headers: { "x-aws-ec2-metadata-token-ttl-seconds": String(seconds) } };
}

function answerPath(path: string, tree: ReadonlyMap<string, string | Buffer>): Answer {
  const value = tree.get(path.replace(/\/$/, ""));
  if (value !== undefined) return { status: 200, body: value, headers: { "content-type": typeof value === "string" ? "text/plain" : "application/octet-stream" } };
  const children = childrenOf(path.replace(/\/?$/, "/"), tree);
  return children.length === 0 ? { status: 404, body: "" } : { status: 200, body: children.join("\n") };
}

function childrenOf(directory: string, tree: ReadonlyMap<string, string | Buffer>): readonly string[] {
  const names = [...tree.keys()].filter((path) => path.startsWith(directory)).map((path) => path.slice(directory.length).replace(/\/.*$/, "/"));
  return [...new Set(names)].sort();
}

/** Every path below /latest that has a value; a part that the world lacks is a 404. */
function imdsTree(world: World): ReadonlyMap<string, string | Buffer> {
  const mac = `/meta-data/network/interfaces/macs/${world.mac}`;
  const paths: Readonly<Record<string, string | Buffer | undefined>> = {
    "/meta-data/instance-id": world.instanceId,
    "/meta-data/instance-type": world.instanceType,
    "/meta-data/ami-id": "ami-0123456789abcdef0",
    "/meta-data/mac": world.mac,
    "/meta-data/local-ipv4": world.localIpv4,
    "/meta-data/local-hostname": world.localHostname ?? world.privateDnsName,
    "/meta-data/hostname": world.localHostname ?? world.privateDnsName,
    "/meta-data/ipv6": world.ipv6s[0],
    "/meta-data/placement/availability-zone": world.zone,
    "/meta-data/placement/region": world.region,
    "/meta-data/services/domain": world.dnsSuffix,
    "/meta-data/services/partition": world.partition,
    "/meta-data/instance-life-cycle": world.lifeCycle,
    [`${mac}/device-number`]: "0",
    [`${mac}/local-ipv4s`]: world.localIpv4,
    [`${mac}/ipv6s`]: lines(world.ipv6s),
    [`${mac}/vpc-ipv4-cidr-block`]: world.vpcIpv4Cidrs[0],
    [`${mac}/vpc-ipv4-cidr-blocks`]: lines(world.vpcIpv4Cidrs),
    "/dynamic/instance-identity/document": identityDocument(world),
    "/user-data": world.userData,
    ...rolePaths(world),
  };
  return new Map(Object.entries(paths).filter((entry): entry is [string, string | Buffer] => entry[1] !== undefined));
}

function rolePaths(world: World): Readonly<Record<string, string>> {
  if (world.role === undefined) return {};
  const { accessKeyId, secretAccessKey, token, expiration } = world.credentials;
  const credentials = {
    Code: "Success",
    LastUpdated: "2026-01-01T00:00:00Z",
    Type: "AWS-HMAC",
    AccessKeyId: accessKeyId,
    SecretAccessKey: secretAccessKey,
    Token: token,
    Expiration: expiration,
  };
  const profile = `arn:${world.partition}:iam::${world.accountId}:instance-profile/${world.role}`;
  return {
    "/meta-data/iam/info": JSON.stringify({ Code: "Success", LastUpdated: "2026-01-01T00:00:00Z", InstanceProfileArn: profile, InstanceProfileId: "AIPASIMULATED0000001" }, null, 2),
    [`/meta-data/iam/security-credentials/${world.role}`]: JSON.stringify(credentials, null, 2),
  };
}

function identityDocument(world: World): string {
  return JSON.stringify(
    {
      accountId: world.accountId,
      architecture: "x86_64",
      availabilityZone: world.zone,
      billingProducts: null,
      imageId: "ami-0123456789abcdef0",
      instanceId: world.instanceId,
      instanceType: world.instanceType,
      pendingTime: "2026-01-01T00:00:00Z",
      privateIp: world.localIpv4 ?? null,
      region: world.region,
      version: "2017-09-30",
    },
    null,
    2,
  );
}

function lines(values: readonly string[]): string | undefined {
  return values.length === 0 ? undefined : values.join("\n");
}
