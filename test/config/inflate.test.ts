import { gzipSync } from "node:zlib";
import { describe, expect, it } from "vitest";
import { unwrap } from "../../src/config/inflate.ts";

const text = Buffer.from("apiVersion: node.eks.aws/v1alpha1\n");
const base64 = (bytes: Buffer) => Buffer.from(bytes.toString("base64"));

describe("unwrap() finds the bytes", () => {
  it.each([
    ["as they are", text],
    ["of no length", Buffer.alloc(0)],
    ["in base64", base64(text)],
    ["in base64 with line breaks and no padding", Buffer.from(text.toString("base64").replace(/(.{10})/g, "$1\r\n").replace(/=*$/, "\n"))],
    ["in gzip", gzipSync(text)],
    ["in gzip in two members", Buffer.concat([gzipSync(text.subarray(0, 5)), gzipSync(text.subarray(5))])],
    ["in base64 of gzip", base64(gzipSync(text))],
    ["in gzip of base64", gzipSync(base64(text))],
    ["in base64 of base64, since the API and Terraform both encode", base64(base64(text))],
  ])("%s", (name, bytes) => {
    expect(unwrap(bytes)).toEqual({ bytes: name === "of no length" ? bytes : text });
  });

  it.each(["true", "abcd", "hello world", "AAAA"])("of %j, which is base64 of no text, as they are", (word) => {
    expect(unwrap(Buffer.from(word))).toEqual({ bytes: Buffer.from(word) });
  });
});

describe("unwrap() refuses", () => {
  const bomb = gzipSync(Buffer.alloc(8 * 1024 * 1024 + 1));
  it.each([
    ["what inflates to more than 8 MiB", bomb, "it inflates to more than 8388608 bytes"],
    ["that in base64", base64(bomb), "it inflates to more than 8388608 bytes"],
    ["gzip that is cut off", gzipSync(text).subarray(0, -9), "it is gzip that is cut off or damaged (Z_BUF_ERROR)"],
    ["gzip that is damaged", Buffer.from("\x1f\x8b\x08\0\0\0\0\0\0\0garbage", "latin1"), "it is gzip that is cut off or damaged (Z_DATA_ERROR)"],
    ["gzip in gzip, five times", [1, 2, 3, 4, 5].reduce((bytes) => gzipSync(bytes), text), "it is wrapped in base64 or gzip more than 4 times"],
  ])("%s", (_, bytes, fault) => {
    expect(unwrap(bytes)).toEqual({ fault });
  });

  it("8 MiB to the byte it takes", () => {
    expect(unwrap(gzipSync(Buffer.alloc(8 * 1024 * 1024)))).toEqual({ bytes: Buffer.alloc(8 * 1024 * 1024) });
  });
});
