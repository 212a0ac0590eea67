import { stat } from "node:fs";

const INTERVAL_MS = 250;

/**
 * Has libuv's threads look for work they may have slept over. The GNU C library before 2.41 can lose a wake-up of pthread_cond_signal(3): a file
 * that was handed to these threads is then never written, and a process with nothing else under way waits for ever. Any new work wakes a
 * thread, which takes all that waits. Does not keep the process alive.
 *
 * Source: https://sourceware.org/bugzilla/show_bug.cgi?id=25847
 */
export function keepThreadPoolAwake(work: () => void = () => stat("/", () => undefined)): void {
  setInterval(work, INTERVAL_MS).unref();
}
