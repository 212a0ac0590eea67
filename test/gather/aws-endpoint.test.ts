import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { describe, expect, test } from "vitest";
import { apiHost } from "../../src/data/ecr-region-lookup.ts";
import { chooseVariant } from "../../src/gather/aws-endpoint.ts";
import { createGatherer } from "../../src/gather/gatherer.ts";
import { isFipsOn } from "../../src/gather/host-kernel.ts";
import type { AwsService } from "../../src/gather/settings.ts";
import type { Facts, Question } from "../../src/resolve/facts.ts";
import { withSimulator } from "./fixture.ts";
import { withTree } from "./tree.ts";

/** The host that is asked for through a proxy which lets nobody through. */
async function askedHost(question: Question, facts: Facts, environment: Record<string, string>): Promise<string | undefined> {
  let asked: string | undefined;
  const proxy = createServer().on("connect", (request, socket) => {
    asked ??= request.url;
    socket.end("HTTP/1.1 403 Forbidden\r\n\r\n");
  });
  await new Promise<void>((resolve) => proxy.listen(0, "127.0.0.1", resolve));
  const url = `http://127.0.0.1:${(proxy.address() as AddressInfo).port}`;
  await withSimulator({}, { apiHost }, async ({ settings, clock }) => {
    const own = { AWS_ACCESS_KEY_ID: "a", AWS_SECRET_ACCESS_KEY: "b", HTTPS_PROXY: url, ...environment };
    const gatherer = createGatherer({ ...settings, deadlineAt: clock.now() + 400, environment: own });
    await gatherer.ask(question, facts).catch(() => undefined);
    await gatherer.close();
  });
  proxy.close();
  return asked;
}

const FIPS = { AWS_USE_FIPS_ENDPOINT: "true" };
const DUAL_STACK = { AWS_USE_DUALSTACK_ENDPOINT: "true" };

test.each<[string, Record<string, string>, string, string]>([
  ["us-west-2", {}, "eks.us-west-2.amazonaws.com:443", "ec2.us-west-2.amazonaws.com:443"],
  ["us-west-2", FIPS, "fips.eks.us-west-2.amazonaws.com:443", "ec2-fips.us-west-2.amazonaws.com:443"],
  ["us-west-2", DUAL_STACK, "eks.us-west-2.api.aws:443", "ec2.us-west-2.api.aws:443"],
  ["us-west-2", { ...FIPS, ...DUAL_STACK }, "eks-fips.us-west-2.api.aws:443", "ec2-fips.us-west-2.api.aws:443"],
  ["us-gov-west-1", FIPS, "eks.us-gov-west-1.amazonaws.com:443", "ec2.us-gov-west-1.amazonaws.com:443"],
  ["cn-north-1", {}, "eks.cn-north-1.amazonaws.com.cn:443", "ec2.cn-north-1.amazonaws.com.cn:443"],
  ["us-west-2", { AWS_ENDPOINT_URL: "https://vpce.example.com:8443/" }, "vpce.example.com:8443", "vpce.example.com:8443"],
  ["us-west-2", { ...FIPS, AWS_ENDPOINT_URL_EKS: "https://eks.example.com", AWS_ENDPOINT_URL_EC2: "https://ec2.example.com" }, "eks.example.com:443", "ec2.example.com:443"],
])("in %s with %j EKS is %s, EC2 is %s", async (region, environment, eks, ec2) => {
  const instance = { id: "i-0123456789abcdef0", type: "m5.large", region, zone: `${region}a`, accountId: "1", dnsSuffix: "amazonaws.com", mac: "" };
  const cluster: Question = { kind: "cluster", name: "demo", region, accountId: "1", patience: "one-try" };
  const name: Question = { kind: "private-dns-name", region, instanceId: instance.id };
  expect([await askedHost(cluster, {}, environment), await askedHost(name, { instance }, environment)]).toEqual([eks, ec2]);
});

test("in a region that no table knows, EC2 is found by the DNS suffix of IMDS", async () => {
  const instance = { id: "i-0123456789abcdef0", type: "m5.large", region: "xx-new-1", zone: "xx-new-1a", accountId: "1", dnsSuffix: "aws.example", mac: "" };
  expect(await askedHost({ kind: "private-dns-name", region: "xx-new-1", instanceId: instance.id }, { instance }, {})).toBe("ec2.xx-new-1.aws.example:443");
});

describe("in FIPS mode", () => {
  const HOSTS = ["fips.eks.us-west-2.amazonaws.com", "ec2-fips.us-west-2.amazonaws.com", "eks-fips.us-west-2.api.aws", "api.ecr-fips.us-west-2.amazonaws.com", "ec2-fips.xx-new-1.aws.example"];
  const KEPT = { AWS_USE_FIPS_ENDPOINT: "false" };

  test.each<[AwsService, string, Record<string, string>, string, readonly string[]]>([
    ["eks", "us-west-2", {}, "fips", []],
    ["ec2", "us-west-2", {}, "fips", []],
    ["ecr_api", "us-west-2", {}, "fips", []],
    ["eks", "us-west-2", DUAL_STACK, "fipsDualStack", []],
    ["ec2", "us-west-2", DUAL_STACK, "dualStack", ["ec2-fips.us-west-2.api.aws"]],
    ["eks", "eu-west-1", {}, "plain", ["fips.eks.eu-west-1.amazonaws.com"]],
    ["eks", "cn-north-1", {}, "plain", ["eks-fips.cn-north-1.amazonaws.com.cn"]],
    ["ec2", "xx-new-1", {}, "fips", []],
    ["eks", "eu-west-1", FIPS, "fips", []],
    ["eks", "us-west-2", KEPT, "plain", []],
  ])("%s in %s with %j is asked at its endpoint %s", async (service, region, environment, variant, missing) => {
    const notes: string[] = [];
    const chosen = await chooseVariant(service, region, "aws.example", {
      environment,
      apiHost,
      isFipsOn: () => true,
      resolves: (host) => Promise.resolve(HOSTS.includes(host)),
      onEvent: (event) => void (event.kind === "note" && notes.push(`${event.code}: ${event.message}`)),
    });
    expect(chosen).toBe(variant);
    expect(notes).toEqual(missing.map((host) => `no-fips-endpoint: FIPS mode is on, but the endpoint ${host} does not resolve, so the one without FIPS is asked. AWS_USE_FIPS_ENDPOINT=true would insist on it.`));
  });

  test("and without it no name is looked up", async () => {
    const never = (): never => {
      throw new Error("a name was looked up");
    };
    expect(await chooseVariant("eks", "us-west-2", undefined, { environment: {}, apiHost, isFipsOn: () => false, resolves: never, onEvent: never })).toBe("plain");
  });

  test("the kernel says so", async () => {
    await withTree({ "/proc/meminfo": "", "/proc/sys/crypto/fips_enabled": "1\n" }, (root) => expect(isFipsOn(root)).toBe(true));
    await withTree({ "/proc/meminfo": "", "/proc/sys/crypto/fips_enabled": "0\n" }, (root) => expect(isFipsOn(root)).toBe(false));
  });
});
