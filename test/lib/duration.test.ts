import { expect, test } from "vitest";
import { ONE_SECOND, parseDuration } from "../../src/lib/duration.ts";

test.each<[string, string, bigint]>([
  ["a bare zero", "0", 0n],
  ["seconds", "30s", 30n * ONE_SECOND],
  ["several units", "1m30s", 90n * ONE_SECOND],
  ["the form that Go prints", "4h0m0s", 14_400n * ONE_SECOND],
  ["a fraction", "1.5h", 5_400n * ONE_SECOND],
  ["no digit before the point", ".5s", ONE_SECOND / 2n],
  ["milliseconds", "100ms", ONE_SECOND / 10n],
  ["microseconds in ASCII", "5us", 5_000n],
  ["microseconds with the micro sign", "5µs", 5_000n],
  ["microseconds with a mu", "5μs", 5_000n],
  ["nanoseconds", "9ns", 9n],
  ["units in any order", "1s1h", 3_601n * ONE_SECOND],
  ["a negative value", "-1m", -60n * ONE_SECOND],
  ["a plus sign", "+1s", ONE_SECOND],
])("a duration may be %s: %j", (_, text, nanoseconds) => {
  expect(parseDuration(text)).toBe(nanoseconds);
});

test.each([
  ["nothing at all", ""],
  ["a sign alone", "-"],
  ["a bare number", "30"],
  ["days", "1d"],
  ["a unit alone", "s"],
  ["a point and a unit", ".s"],
  ["capitals", "1H"],
  ["a space", "1m 30s"],
  ["a word", "never"],
  ["more than 292 years", "9999999h"],
])("a duration is not %s: %j", (_, text) => {
  expect(parseDuration(text)).toBeUndefined();
});
