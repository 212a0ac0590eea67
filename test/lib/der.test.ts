import fc from "fast-check";
import { expect, test } from "vitest";
import { isWholeCertificate } from "../../src/lib/der.ts";
import { CA } from "../certificate-authority.ts";

const WHOLE = Buffer.from(CA.replace(/-----[^-]+-----/g, ""), "base64");

test("a certificate is whole", () => {
  expect(isWholeCertificate(WHOLE)).toBe(true);
});

test("a certificate that is cut anywhere is not, nor one that goes on", () => {
  const cuts = Array.from({ length: WHOLE.length }, (_, length) => WHOLE.subarray(0, length));
  expect(cuts.filter(isWholeCertificate)).toEqual([]);
  expect(isWholeCertificate(Buffer.concat([WHOLE, Buffer.of(0)]))).toBe(false);
});

test("a certificate without some of its bytes is not", () => {
  const gaps = fc.tuple(fc.nat(WHOLE.length - 1), fc.integer({ min: 1, max: 48 }));
  fc.assert(fc.property(gaps, ([at, count]) => !isWholeCertificate(Buffer.concat([WHOLE.subarray(0, at), WHOLE.subarray(at + count)]))));
});

test.each([
  ["nothing", ""],
  ["another SEQUENCE", "3003020101"],
  ["a length without an end", "3080020101"],
  ["a length of four bytes", "308400000003020101"],
  ["a tag without a length", "30"],
])("%s is no certificate", (_, hex) => {
  expect(isWholeCertificate(Buffer.from(hex, "hex"))).toBe(false);
});

test("what nests without end is refused, and ends", () => {
  const nest = (inside: Buffer, depth: number): Buffer => (depth === 0 ? inside : nest(Buffer.concat([Buffer.of(0x30, 0x82, inside.length >> 8, inside.length & 255), inside]), depth - 1));
  expect(isWholeCertificate(nest(Buffer.alloc(0), 5000))).toBe(false);
});
