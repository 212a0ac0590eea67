/**
 * Does something when a request that is made at this moment has gone out and its answer is not yet there, so that neither waits for it: a connection on this
 * machine or beside it is there within a millisecond, and the request is written as soon as the next events are looked at.
 */
export function whenSent(task: () => void): void {
  setTimeout(() => setImmediate(task), 1);
}
