import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { describe, expect, it, onTestFinished } from "vitest";
import { containerCredentialsUrl, fetchContainerCredentials } from "../../src/gather/container-credentials.ts";
import { createCredentials } from "../../src/gather/credentials.ts";
import { createImds } from "../../src/gather/imds.ts";
import { fakeClock, told } from "./fixture.ts";

const FULL = "AWS_CONTAINER_CREDENTIALS_FULL_URI";
const RELATIVE = "AWS_CONTAINER_CREDENTIALS_RELATIVE_URI";

describe("where they are", () => {
  it.each<[Record<string, string>, string | undefined, string]>([
    [{}, undefined, "no container"],
    [{ [FULL]: "", [RELATIVE]: "" }, undefined, "empty is not set"],
    [{ [RELATIVE]: "/v2/credentials/id?x=1" }, "http://169.254.170.2/v2/credentials/id?x=1", "Amazon ECS"],
    [{ [FULL]: "http://169.254.170.23/v1/credentials" }, "http://169.254.170.23/v1/credentials", "EKS Pod Identity"],
    [{ [FULL]: "http://[fd00:ec2::23]/v1/credentials" }, "http://[fd00:ec2::23]/v1/credentials", "EKS Pod Identity, IPv6"],
    [{ [FULL]: "http://localhost:1234/a" }, "http://localhost:1234/a", ""],
    [{ [FULL]: "http://127.1/a" }, "http://127.0.0.1/a", "any loopback address"],
    [{ [FULL]: "http://[::1]:1234/a" }, "http://[::1]:1234/a", ""],
    [{ [FULL]: "https://credentials.example/a" }, "https://credentials.example/a", "with TLS anywhere"],
    [{ [FULL]: "https://credentials.example/a", [RELATIVE]: "/b" }, "http://169.254.170.2/b", "the relative one comes first"],
  ])("%j: %s (%s)", (environment, url) => {
    expect(containerCredentialsUrl(environment)?.href).toBe(url);
  });

  it.each([
    [FULL, "http://credentials.example/a"],
    [FULL, "http://127.0.0.1.example/a"],
    [FULL, "ftp://127.0.0.1/a"],
    [FULL, "/v2/credentials"],
    [RELATIVE, "@credentials.example/"],
    [RELATIVE, ".example/"],
    [RELATIVE, ":99999/"],
  ])("%s=%s is refused, since a secret would be sent there", (variable, value) => {
    const message = `Cannot fetch credentials from "${value}" (${variable}): it is neither https nor on this machine`;
    expect(() => containerCredentialsUrl({ [variable]: value })).toThrow(expect.objectContaining({ code: "config-invalid", message }) as Error);
  });
});

type Answer = readonly [status: number, body: string];

const GIVEN: Answer = [200, JSON.stringify({ RoleArn: "arn:x", AccessKeyId: "ASIACONTAINER", SecretAccessKey: "s3cr3t", Token: "t0k3n", Expiration: "2099-01-01T00:00:00Z" })];
const CREDENTIALS = { accessKeyId: "ASIACONTAINER", secretAccessKey: "s3cr3t", sessionToken: "t0k3n", expiration: new Date("2099-01-01T00:00:00Z") };

/** Gives these answers, the last one again and again. */
async function agent(...answers: readonly Answer[]): Promise<{ readonly url: URL; readonly authorizations: readonly (string | undefined)[] }> {
  const authorizations: (string | undefined)[] = [];
  const server = createServer((request, response) => {
    const [status, body] = answers[Math.min(authorizations.push(request.headers.authorization), answers.length) - 1] ?? [500, ""];
    response.writeHead(status).end(body);
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  onTestFinished(() => void server.close());
  return { url: new URL(`http://127.0.0.1:${(server.address() as AddressInfo).port}/v1/credentials`), authorizations };
}

function context(environment: Record<string, string> = {}) {
  const clock = fakeClock();
  return { environment, clock, deadlineAt: clock.now() + 30_000, onEvent: () => undefined };
}

function tokenFile(text: string): string {
  const folder = mkdtempSync(join(tmpdir(), "eks-node-agent-token-"));
  onTestFinished(() => rmSync(folder, { recursive: true }));
  writeFileSync(join(folder, "token"), text);
  return join(folder, "token");
}

describe("how they are asked for", () => {
  it.each<[string, () => Record<string, string>, string | undefined]>([
    ["without a token", () => ({}), undefined],
    ["with the variable's", () => ({ AWS_CONTAINER_AUTHORIZATION_TOKEN: "Basic abc" }), "Basic abc"],
    ["with the file's", () => ({ AWS_CONTAINER_AUTHORIZATION_TOKEN_FILE: tokenFile("eyJhbGci\n") }), "eyJhbGci"],
    ["with the file's rather than the variable's", () => ({ AWS_CONTAINER_AUTHORIZATION_TOKEN_FILE: tokenFile("file"), AWS_CONTAINER_AUTHORIZATION_TOKEN: "variable" }), "file"],
  ])("%s", async (_, environment, authorization) => {
    const { url, authorizations } = await agent(GIVEN);
    expect(await fetchContainerCredentials(url, context(environment()))).toEqual(CREDENTIALS);
    expect(authorizations).toEqual([authorization]);
  });

  it("again when the agent is not ready", async () => {
    const { url, authorizations } = await agent([503, ""], [429, ""], GIVEN);
    expect(await fetchContainerCredentials(url, context())).toEqual(CREDENTIALS);
    expect(authorizations).toHaveLength(3);
  });

  it("before the role of the instance, and after the environment's", async () => {
    const { url } = await agent(GIVEN);
    const asking = { ...context({ [FULL]: url.href }), imds: { endpoint: "http://127.0.0.1:1" } };
    const imds = createImds(asking);
    expect(await createCredentials(imds, asking).get()).toEqual(CREDENTIALS);
    const environment = { ...asking.environment, AWS_ACCESS_KEY_ID: "a", AWS_SECRET_ACCESS_KEY: "b" };
    expect(await createCredentials(imds, { ...asking, environment }).get()).toEqual({ accessKeyId: "a", secretAccessKey: "b" });
    await imds.close();
  });
});

describe("what is said when there are none", () => {
  it.each<[string, Answer, string]>([
    ["refused", [403, "no s3cr3t for you"], "access-denied: Cannot get the container's credentials from http://SIMULATOR: it refuses with status 403"],
    ["failing", [500, "s3cr3t"], "unreachable: Cannot get the container's credentials from http://SIMULATOR: it fails with status 500"],
    ["half of them", [200, '{"AccessKeyId":"a","SecretAccessKey":"s3cr3t"}'], "remote-nonsense: Cannot get the container's credentials from http://SIMULATOR: the answer is malformed"],
    ["an error as JSON", [200, '{"Code":"Refused s3cr3t"}'], "remote-nonsense: Cannot get the container's credentials from http://SIMULATOR: the answer is malformed"],
  ])("%s, without a secret", async (_, answer, message) => {
    const { url } = await agent(answer);
    const error = await told(fetchContainerCredentials(url, context({ AWS_CONTAINER_AUTHORIZATION_TOKEN: "s3cr3t" })));
    expect(error.replace(/ \(\d+ tries in \d+ s\)$/, "")).toBe(message);
  });

  it("a token that is no header", async () => {
    const { url, authorizations } = await agent(GIVEN);
    const fetched = fetchContainerCredentials(url, context({ AWS_CONTAINER_AUTHORIZATION_TOKEN: "a\r\nHost: b" }));
    expect(await told(fetched)).toBe("config-invalid: Cannot use the token that AWS_CONTAINER_AUTHORIZATION_TOKEN or its file gives: it is not one line of text");
    expect(authorizations).toEqual([]);
  });

  it("a token's file that is not there", async () => {
    const { url } = await agent(GIVEN);
    const fetched = fetchContainerCredentials(url, context({ AWS_CONTAINER_AUTHORIZATION_TOKEN_FILE: "/nowhere/token" }));
    expect(await told(fetched)).toBe('source-unreadable: Cannot read "/nowhere/token", named by AWS_CONTAINER_AUTHORIZATION_TOKEN_FILE: ENOENT');
  });
});
