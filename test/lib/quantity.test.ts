import { expect, test } from "vitest";
import { ONE_UNIT, parseQuantity } from "../../src/lib/quantity.ts";

test.each<[string, string, bigint]>([
  ["nothing", "0", 0n],
  ["whole units", "2", 2n * ONE_UNIT],
  ["milli-units", "500m", 500_000_000n],
  ["micro-units", "3u", 3_000n],
  ["nano-units", "7n", 7n],
  ["a fraction of a nano-unit, rounded up", "0.5n", 1n],
  ["a fraction", "1.5", 1_500_000_000n],
  ["no digit before the point", ".5", 500_000_000n],
  ["no digit after the point", "1.", ONE_UNIT],
  ["thousands", "1k", 1000n * ONE_UNIT],
  ["decimal gigabytes", "1G", 1_000_000_000n * ONE_UNIT],
  ["binary kilobytes", "1Ki", 1024n * ONE_UNIT],
  ["binary megabytes", "100Mi", 100n * 1024n * 1024n * ONE_UNIT],
  ["a fraction of a binary gigabyte", "1.5Gi", 1536n * 1024n * 1024n * ONE_UNIT],
  ["exa, not an exponent", "1E", 10n ** 18n * ONE_UNIT],
  ["an exponent", "1e3", 1000n * ONE_UNIT],
  ["an exponent in capitals", "12E2", 1200n * ONE_UNIT],
  ["a negative exponent", "5e-1", 500_000_000n],
  ["a sign", "+1", ONE_UNIT],
  ["a negative value", "-1Ki", -1024n * ONE_UNIT],
  ["an absurd exponent, without computing it", "1e999999999", 10n ** 40n * ONE_UNIT],
])("a quantity may be %s: %j", (_, text, nanos) => {
  expect(parseQuantity(text)).toBe(nanos);
});

test.each([
  ["nothing at all", ""],
  ["a suffix alone", "Mi"],
  ["a point alone", "."],
  ["a sign alone", "-"],
  ["a word", "lots"],
  ["a capital K", "1K"],
  ["a small binary suffix", "1mi"],
  ["bytes by name", "1GB"],
  ["a space", "1 Gi"],
  ["a percentage", "10%"],
  ["an exponent without digits", "1e"],
  ["two points", "1.2.3"],
  ["a hexadecimal number", "0x10"],
])("a quantity is not %s: %j", (_, text) => {
  expect(parseQuantity(text)).toBeUndefined();
});
