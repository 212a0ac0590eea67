import { lookup } from "node:dns/promises";
import { setTimeout as sleep } from "node:timers/promises";
import { errnoOf, isErrno } from "../errors.ts";
import { within } from "./within.ts";

const TIMEOUT_MS = 5_000;
const INTERVAL_MS = 500;

/** Whether a host name has an address. A resolver that knows no answer is asked again for 5 s; then there is none. */
export function gatherResolves(host: string, signal: AbortSignal): Promise<boolean> {
  // A look-up cannot be interrupted: one without an answer is left behind.
  return within(TIMEOUT_MS, signal, (either) => hasAddress(host, either), () => false);
}

async function hasAddress(host: string, signal: AbortSignal): Promise<boolean> {
  for (;;) {
    try {
      await lookup(host);
      return true;
    } catch (error) {
      if (isErrno(error, "ENOTFOUND")) return false;
      if (errnoOf(error) === undefined) throw error;
    }
    await sleep(INTERVAL_MS, undefined, { signal });
  }
}
