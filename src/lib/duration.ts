/** Nanoseconds in one second. */
export const ONE_SECOND = 1_000_000_000n;

const UNITS: ReadonlyMap<string, bigint> = new Map([
  ["ns", 1n],
  ["us", 1_000n],
  ["µs", 1_000n],
  ["μs", 1_000n],
  ["ms", 1_000_000n],
  ["s", ONE_SECOND],
  ["m", 60n * ONE_SECOND],
  ["h", 3_600n * ONE_SECOND],
]);

const TERM = /(\d{0,30})(?:\.(\d{0,30}))?(ns|us|µs|μs|ms|s|m|h)/y;
const LONGEST = 2n ** 63n - 1n;

/**
 * A Go duration ("1m30s", "-1.5h", "0") in nanoseconds; undefined if Go's time.ParseDuration would refuse it.
 *
 * Go has no days, and no bare numbers but 0.
 */
export function parseDuration(text: string): bigint | undefined {
  const sign = /^[+-]/.exec(text)?.[0] ?? "";
  const magnitude = parseTerms(text.slice(sign.length));
  if (magnitude === undefined || magnitude > LONGEST) return undefined;
  return sign === "-" ? -magnitude : magnitude;
}

function parseTerms(text: string): bigint | undefined {
  if (text === "0") return 0n;
  if (text === "") return undefined;
  let nanoseconds = 0n;
  TERM.lastIndex = 0;
  while (TERM.lastIndex < text.length) {
    const match = TERM.exec(text);
    const term = match === null ? undefined : termOf(match[1] ?? "", match[2] ?? "", match[3] ?? "");
    if (term === undefined) return undefined;
    nanoseconds += term;
  }
  return nanoseconds;
}

function termOf(whole: string, fraction: string, unit: string): bigint | undefined {
  const size = UNITS.get(unit);
  if (size === undefined || whole + fraction === "") return undefined;
  return (BigInt(whole + fraction) * size) / 10n ** BigInt(fraction.length);
}
