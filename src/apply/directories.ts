import { chmodSync, closeSync, constants, existsSync, fsync, mkdirSync, openSync, statSync } from "node:fs";
import { dirname } from "node:path";
import { setImmediate } from "node:timers/promises";
import { promisify } from "node:util";
import { isErrno } from "../errors.ts";

const DIRECTORY_MODE = 0o755;

/** Directories that this process has made, by path, until they are durable. */
const beingMade = new Map<string, Promise<void>>();

/**
 * Makes what is missing of a directory's path, mode 0755 whatever the umask. What exists stays as it is.
 *
 * @returns settled when what is new is durable: until then nothing in it is; it can be written to at once
 */
export function makeDirectories(directory: string): Promise<void> {
  return beingMade.get(directory) ?? (isDirectory(directory) ? Promise.resolve() : makeMissing(directory));
}

/** Those of a directory's path that do not exist, itself first. */
export function missingDirectories(directory: string): readonly string[] {
  return existsSync(directory) ? [] : [directory, ...missingDirectories(dirname(directory))];
}

function makeMissing(directory: string): Promise<void> {
  const parent = dirname(directory);
  const parents = makeDirectories(parent);
  if (!makeDirectory(directory)) return parents;
  const durable = Promise.all([parents, syncDirectory(parent)]).then(() => undefined).finally(() => beingMade.delete(directory));
  // Whoever made it necessary waits for it, and hears of a failure.
  durable.catch(() => undefined);
  beingMade.set(directory, durable);
  return durable;
}

/** @returns false when another program made it in the meantime */
function makeDirectory(directory: string): boolean {
  try {
    mkdirSync(directory, DIRECTORY_MODE);
  } catch (error) {
    if (isErrno(error, "EEXIST") && isDirectory(directory)) return false;
    throw error;
  }
  chmodSync(directory, DIRECTORY_MODE);
  return true;
}

/** Waiting for the one that is under way, or for what else is ready at the moment. */
const waitingSyncs = new Map<string, Promise<void>>();
const runningSyncs = new Map<string, Promise<void>>();

/**
 * Makes the names in a directory durable: without it a power loss may undo a rename, a removal or a new file. Whoever asks while
 * another is at it shares the next time with all who ask until then.
 */
export function syncDirectory(directory: string): Promise<void> {
  const sync = waitingSyncs.get(directory) ?? syncNext(directory);
  waitingSyncs.set(directory, sync);
  return sync;
}

async function syncNext(directory: string): Promise<void> {
  await Promise.allSettled([runningSyncs.get(directory) ?? setImmediate()]);
  waitingSyncs.delete(directory);
  const running = syncNow(directory).finally(() => runningSyncs.delete(directory));
  runningSyncs.set(directory, running);
  return running;
}

async function syncNow(directory: string): Promise<void> {
  const fd = openSync(directory, constants.O_RDONLY | constants.O_DIRECTORY);
  try {
    await syncFile(fd);
  } finally {
    closeSync(fd);
  }
}

/** fsync(2), the one call here that takes its time. */
export const syncFile = promisify(fsync);

function isDirectory(path: string): boolean {
  try {
    return statSync(path).isDirectory();
  } catch (error) {
    if (isErrno(error, "ENOENT")) return false;
    throw error;
  }
}
