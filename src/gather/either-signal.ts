/**
 * For whoever has a signal of his own and is given others: aborted when either is. What is given is most often the same one, and AbortSignal.any() costs more
 * than the rest of a request's bookkeeping.
 */
export function eitherSignal(own: AbortSignal): (given: AbortSignal | undefined) => AbortSignal {
  const made = new WeakMap<AbortSignal, AbortSignal>();
  return (given) => {
    if (given === undefined) return own;
    const either = made.get(given) ?? AbortSignal.any([own, given]);
    made.set(given, either);
    return either;
  };
}
