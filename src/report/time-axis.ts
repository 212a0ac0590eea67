const SECOND = 1000;
const MINUTE = 60 * SECOND;
const HOUR = 60 * MINUTE;

/** Distances between ticks that a person counts in; beyond the last of them, its multiples. */
const STEPS_MS: readonly number[] = [
  ...[1, 2, 5, 10, 20, 50, 100, 200, 500],
  ...[1, 2, 5, 10, 15, 30].map((seconds) => seconds * SECOND),
  ...[1, 2, 5, 10, 15, 30].map((minutes) => minutes * MINUTE),
  ...[1, 2, 6, 12, 24].map((hours) => hours * HOUR),
];

const MOST_TICKS = 10;

/** Times of the ticks of an axis from 0 to `durationMs`, at most ten steps. */
export function ticksOf(durationMs: number): readonly number[] {
  const step = stepOf(durationMs);
  return Array.from({ length: Math.floor(durationMs / step) + 1 }, (_, index) => index * step);
}

function stepOf(durationMs: number): number {
  const step = STEPS_MS.find((candidate) => durationMs / candidate <= MOST_TICKS);
  return step ?? 24 * HOUR * Math.ceil(durationMs / (24 * HOUR * MOST_TICKS));
}

const UNITS: readonly (readonly [name: string, ms: number])[] = [["h", HOUR], ["min", MINUTE], ["s", SECOND], ["ms", 1]];

/** "0", "200ms", "1.2s", "1min 30s", "2h": as short as it is exact. */
export function showTick(ms: number): string {
  if (ms === 0) return "0";
  if (ms > SECOND && ms < MINUTE) return `${ms / SECOND}s`;
  let rest = ms;
  const parts = UNITS.map(([name, size]) => {
    const count = Math.floor(rest / size);
    rest -= count * size;
    return count === 0 ? "" : `${count}${name}`;
  });
  return parts.filter((part) => part !== "").join(" ");
}
