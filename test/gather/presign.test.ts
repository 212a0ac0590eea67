import { createHash, createHmac } from "node:crypto";
import { describe, expect, it } from "vitest";
import { presignCallerIdentity } from "../../src/gather/presign.ts";
import type { Credentials } from "../../src/io/smithy.ts";

const NOW = new Date("2026-03-04T05:06:07.890Z");
const FIXED: Credentials = { accessKeyId: "AKIDEXAMPLE", secretAccessKey: "wJalrXUtnFEMI/K7MDENG+bPxRfiCYEXAMPLEKEY" };
const OF_A_ROLE: Credentials = { ...FIXED, accessKeyId: "ASIAEXAMPLE", sessionToken: "IQoJb3JpZ2luX2VjE/+=&%20 ~*'()!/" };

type Case = { readonly cluster?: string; readonly region?: string; readonly host?: string; readonly credentials?: Credentials };

async function presigned({ cluster = "demo", region = "us-west-2", host = `sts.${region}.amazonaws.com`, credentials = FIXED }: Case = {}): Promise<URL> {
  return new URL(await presignCallerIdentity({ cluster, region, host, credentials, now: NOW }));
}

describe("the presigned URL", () => {
  it("asks for GetCallerIdentity, says which headers are signed, and ends after 60 seconds", async () => {
    const url = await presigned({ credentials: OF_A_ROLE });
    expect([url.protocol, url.host, url.pathname]).toEqual(["https:", "sts.us-west-2.amazonaws.com", "/"]);
    expect(Object.fromEntries(url.searchParams)).toEqual({
      Action: "GetCallerIdentity",
      Version: "2011-06-15",
      "X-Amz-Algorithm": "AWS4-HMAC-SHA256",
      "X-Amz-Credential": "ASIAEXAMPLE/20260304/us-west-2/sts/aws4_request",
      "X-Amz-Date": "20260304T050607Z",
      "X-Amz-Expires": "60",
      "X-Amz-Security-Token": OF_A_ROLE.sessionToken,
      "X-Amz-SignedHeaders": "host;x-k8s-aws-id",
      "X-Amz-Signature": expect.stringMatching(/^[0-9a-f]{64}$/) as string,
    });
  });

  it.each<[string, Case]>([
    ["fixed credentials", {}],
    ["a role's, with a token that needs escaping", { credentials: OF_A_ROLE }],
    ["China", { region: "cn-north-1", host: "sts.cn-north-1.amazonaws.com.cn" }],
    ["the id of a cluster on Outposts", { cluster: "5b6f0f6e-9d0a-4a1c-8d3f-2f7f2b1b7a11" }],
    ["a name with what ASCII has", { cluster: "a_b-C.9~!*'()=&%+/" }],
  ])("has the signature of Signature Version 4: %s", async (_, one) => {
    const url = await presigned(one);
    expect(url.searchParams.get("X-Amz-Signature")).toBe(signature(url, one.cluster ?? "demo", (one.credentials ?? FIXED).secretAccessKey));
  });

  it("is no other cluster's", async () => {
    const url = await presigned();
    expect(signature(url, "other", FIXED.secretAccessKey)).not.toBe(url.searchParams.get("X-Amz-Signature"));
  });
});

it("the check itself derives the signing key of AWS's published example", () => {
  expect(signingKey(FIXED.secretAccessKey, "20120215/us-east-1/iam/aws4_request").toString("hex")).toBe("f4780e2d9f65fa895f9c67b32ce1baf0b0d8a43505a000a1a9e090d414db404d");
});

/** Source: "Create a signed AWS API request", query string parameters: written anew, so that the signer is checked by other code. */
function signature(url: URL, cluster: string, secret: string): string {
  const [, ...scope] = (url.searchParams.get("X-Amz-Credential") ?? "").split("/");
  const query = [...url.searchParams]
    .filter(([name]) => name !== "X-Amz-Signature")
    .map(([name, value]) => `${escaped(name)}=${escaped(value)}`)
    .sort()
    .join("&");
  const request = ["GET", "/", query, `host:${url.host}`, `x-k8s-aws-id:${cluster}`, "", "host;x-k8s-aws-id", sha256("")].join("\n");
  const text = ["AWS4-HMAC-SHA256", url.searchParams.get("X-Amz-Date"), scope.join("/"), sha256(request)].join("\n");
  return hmac(signingKey(secret, scope.join("/")), text).toString("hex");
}

function signingKey(secret: string, scope: string): Buffer {
  return scope.split("/").reduce<Buffer>((key, part) => hmac(key, part), Buffer.from(`AWS4${secret}`));
}

/** RFC 3986: all but the unreserved characters. */
function escaped(text: string): string {
  return [...Buffer.from(text)].map((byte) => (/[\w.~-]/.test(String.fromCharCode(byte)) ? String.fromCharCode(byte) : `%${byte.toString(16).toUpperCase().padStart(2, "0")}`)).join("");
}

function sha256(text: string): string {
  return createHash("sha256").update(text).digest("hex");
}

function hmac(key: Buffer, text: string): Buffer {
  return createHmac("sha256", key).update(text).digest();
}
