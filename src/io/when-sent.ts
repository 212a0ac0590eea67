/**
 * Does something when a request that is made at this moment has gone out and its answer is not yet there, so that neither waits for it: a connection on this
 * machine or beside it is there within a millisecond, and the request is written as soon as the next events are looked at.
 */
export function whenSent(task: () => void): void {
  setTimeout(() => setImmediate(task), 1);
}

/**
 * As many rounds of events as an answer takes on its way to the request that it leads to: each asks the network once, and undici writes to a connection that
 * was idle in the round after.
 */
const ROUNDS = 6;

/** Settled when what is to be sent by now has been sent, and what has arrived has been looked at: before something that takes long. */
export async function whatArrived(): Promise<void> {
  for (let round = 0; round < ROUNDS; round += 1) await new Promise<void>((done) => setImmediate(done));
}
