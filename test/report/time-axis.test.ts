import fc from "fast-check";
import { expect, test } from "vitest";
import { showTick, ticksOf } from "../../src/report/time-axis.ts";

const AXES: readonly (readonly [durationMs: number, ticks: string])[] = [
  [0, "0"],
  [1, "0, 1ms"],
  [7, "0, 1ms, 2ms, 3ms, 4ms, 5ms, 6ms, 7ms"],
  [240, "0, 50ms, 100ms, 150ms, 200ms"],
  [1_500, "0, 200ms, 400ms, 600ms, 800ms, 1s, 1.2s, 1.4s"],
  [4_317, "0, 500ms, 1s, 1.5s, 2s, 2.5s, 3s, 3.5s, 4s"],
  [13_299, "0, 2s, 4s, 6s, 8s, 10s, 12s"],
  [95_250, "0, 10s, 20s, 30s, 40s, 50s, 1min, 1min 10s, 1min 20s, 1min 30s"],
  [614_000, "0, 2min, 4min, 6min, 8min, 10min"],
  [5_400_000, "0, 10min, 20min, 30min, 40min, 50min, 1h, 1h 10min, 1h 20min, 1h 30min"],
  [90_000_000, "0, 6h, 12h, 18h, 24h"],
];
test.each(AXES)("an axis of %i ms", (durationMs, ticks) => {
  expect(ticksOf(durationMs).map(showTick).join(", ")).toBe(ticks);
});

test("an axis of any length has at most eleven ticks, all of them within it and unlike each other", () => {
  fc.assert(
    fc.property(fc.maxSafeNat(), (durationMs) => {
      const ticks = ticksOf(durationMs);
      expect(ticks.length).toBeLessThanOrEqual(11);
      expect(ticks.at(-1)).toBeLessThanOrEqual(durationMs);
      expect(new Set(ticks.map(showTick)).size).toBe(ticks.length);
    }),
  );
});
