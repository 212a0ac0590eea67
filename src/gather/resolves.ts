import { lookup } from "node:dns/promises";
import { isErrno } from "../errors.ts";
import type { Clock } from "../io/retry.ts";

const TIMEOUT_MS = 5_000;

/** Whether a host name has an address; a resolver that does not answer within 5 s knows of none. */
export async function gatherResolves(host: string, clock: Clock, signal: AbortSignal): Promise<boolean> {
  const done = new AbortController();
  // A look-up cannot be interrupted: it is left behind.
  const timeout = clock.sleep(TIMEOUT_MS, AbortSignal.any([signal, done.signal])).then(() => false);
  try {
    return await Promise.race([hasAddress(host), timeout]);
  } finally {
    done.abort();
    timeout.catch(() => undefined);
  }
}

async function hasAddress(host: string): Promise<boolean> {
  try {
    await lookup(host);
    return true;
  } catch (error) {
    if (isErrno(error, "ENOTFOUND") || isErrno(error, "EAI_AGAIN")) return false;
    throw error;
  }
}
