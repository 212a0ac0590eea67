import { expect, test } from "vitest";
import { showSpan } from "../../src/lib/show-span.ts";

test.each([
  [0, "0ms"],
  [0.4, "0ms"],
  [999.4, "999ms"],
  [999.5, "1.000s"],
  [1234, "1.234s"],
  [59_999.5, "1min 0.000s"],
  [123_456, "2min 3.456s"],
])("%d ms", (ms, shown) => {
  expect(showSpan(ms)).toBe(shown);
});
