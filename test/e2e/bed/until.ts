import { setTimeout as sleep } from "node:timers/promises";

/**
 * Asks until there is an answer.
 *
 * @param what is waited for, in the words of the error when 60 s have not brought it
 * @param ask gives undefined or false while there is none
 */
export async function until<T>(what: string, ask: () => T | Promise<T>, deadlineMs = 60_000): Promise<Exclude<T, undefined | false>> {
  const end = performance.now() + deadlineMs;
  for (;;) {
    const answer = await ask();
    if (answer !== undefined && answer !== false) return answer as Exclude<T, undefined | false>;
    if (performance.now() > end) throw new Error(`After ${deadlineMs} ms it is not yet so that ${what}`);
    await sleep(20);
  }
}
