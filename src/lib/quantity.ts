/** Nano-units in one unit: one core, one byte. */
export const ONE_UNIT = 1_000_000_000n;

/**
 * A Kubernetes resource quantity ("500m", "1.5Gi", "1e3") in nano-units, rounded away from zero as Kubernetes rounds.
 * Undefined if Kubernetes would not parse it.
 *
 * Source: k8s.io/apimachinery, package resource, the grammar in the documentation of Quantity.
 */
export function parseQuantity(text: string): bigint | undefined {
  const match = QUANTITY.exec(text);
  if (match === null) return undefined;
  const [, sign = "", whole = "", fraction = "", exponent, suffix = ""] = match;
  const scale = exponent === undefined ? SUFFIXES.get(suffix) : powerOfTen(Number(exponent));
  if (scale === undefined || whole + fraction === "") return undefined;
  const digits = BigInt(whole + fraction);
  const nanos = divideUp(digits * ONE_UNIT * scale.times, 10n ** BigInt(fraction.length) * scale.over);
  return sign === "-" ? -nanos : nanos;
}

// Digits are bounded, so that a hostile text costs nothing.
const QUANTITY = /^([+-]?)(\d{0,60})(?:\.(\d{0,60}))?(?:[eE]([+-]?\d{1,9})|([A-Za-z]{0,2}))$/;

type Scale = { readonly times: bigint; readonly over: bigint };

const SUFFIXES: ReadonlyMap<string, Scale> = new Map<string, Scale>([
  ["n", powerOfTen(-9)],
  ["u", powerOfTen(-6)],
  ["m", powerOfTen(-3)],
  ["", powerOfTen(0)],
  ["k", powerOfTen(3)],
  ["M", powerOfTen(6)],
  ["G", powerOfTen(9)],
  ["T", powerOfTen(12)],
  ["P", powerOfTen(15)],
  ["E", powerOfTen(18)],
  ...["Ki", "Mi", "Gi", "Ti", "Pi", "Ei"].map((name, index): [string, Scale] => [name, { times: 1024n ** BigInt(index + 1), over: 1n }]),
]);

/** Exponents beyond 40 are far outside of what Kubernetes stores (9 × 10^18), and cut there. */
function powerOfTen(exponent: number): Scale {
  const size = 10n ** BigInt(Math.min(Math.abs(exponent), 40));
  return exponent < 0 ? { times: 1n, over: size } : { times: size, over: 1n };
}

function divideUp(dividend: bigint, divisor: bigint): bigint {
  return (dividend + divisor - 1n) / divisor;
}
