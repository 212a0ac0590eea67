import { createHash, createHmac } from "node:crypto";
import { expect, test } from "vitest";
import { Sha256 } from "../../src/io/sha256.ts";

const hex = async (hash: Sha256): Promise<string> => Buffer.from(await hash.digest()).toString("hex");

test.each([
  { what: "text", data: "abc\u00e9" },
  { what: "bytes", data: Buffer.from("abc\u00e9") },
  { what: "an ArrayBuffer", data: Uint8Array.from(Buffer.from("abc\u00e9")).buffer },
  { what: "a part of an ArrayBuffer", data: new Uint8Array(Buffer.from("xabc\u00e9x").subarray(1, 6)) },
])("Sha256 is SHA-256 of $what", async ({ data }) => {
  const hash = new Sha256();
  hash.update(data);
  expect(await hex(hash)).toBe(createHash("sha256").update("abc\u00e9").digest("hex"));
});

test.each([{ secret: "key" }, { secret: Buffer.from("key") }])("Sha256 with a secret is its HMAC, also after reset(): $secret", async ({ secret }) => {
  const hash = new Sha256(secret);
  hash.update("something else");
  hash.reset();
  hash.update("a");
  hash.update("b");
  expect(await hex(hash)).toBe(createHmac("sha256", "key").update("ab").digest("hex"));
});
