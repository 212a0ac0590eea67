export type Limits = {
  /** Most tokens that the bucket holds, which it begins with. */
  readonly burst: number;
  /** Tokens added each second. */
  readonly perSecond: number;
};

/** One API action's bucket, for the whole account in one region. */
export type TokenBucket = {
  /** Whether there was a token, which is then gone. A refused request costs none. */
  readonly take: (nowMs: number) => boolean;
};

/** Refilled at each whole second, not in between. Source: EC2 Developer Guide, "Request throttling for the Amazon EC2 API". */
export function tokenBucket({ burst, perSecond }: Limits): TokenBucket {
  let tokens = burst;
  let refilledAt = 0;
  return {
    take: (nowMs) => {
      const second = Math.floor(nowMs / 1_000);
      tokens = Math.min(burst, tokens + (second - refilledAt) * perSecond);
      refilledAt = second;
      if (tokens < 1) return false;
      tokens -= 1;
      return true;
    },
  };
}
