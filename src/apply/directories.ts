import { constants } from "node:fs";
import { chmod, mkdir, open, stat } from "node:fs/promises";
import { dirname } from "node:path";
import { isErrno } from "../errors.ts";

const DIRECTORY_MODE = 0o755;

/** Makes what is missing of a directory's path, mode 0755 whatever the umask, and durable. What exists stays as it is. */
export async function makeDirectories(directory: string): Promise<void> {
  if (await isDirectory(directory)) return;
  const parent = dirname(directory);
  await makeDirectories(parent);
  try {
    await mkdir(directory, DIRECTORY_MODE);
  } catch (error) {
    // Another file of the same run may have needed it at the same time.
    if (isErrno(error, "EEXIST") && (await isDirectory(directory))) return;
    throw error;
  }
  await chmod(directory, DIRECTORY_MODE);
  await syncDirectory(parent);
}

/** Makes the names in a directory durable: without it a power loss may undo a rename, a removal or a new file. */
export async function syncDirectory(directory: string): Promise<void> {
  const handle = await open(directory, constants.O_RDONLY | constants.O_DIRECTORY);
  try {
    await handle.sync();
  } finally {
    await handle.close();
  }
}

async function isDirectory(path: string): Promise<boolean> {
  try {
    return (await stat(path)).isDirectory();
  } catch (error) {
    if (isErrno(error, "ENOENT")) return false;
    throw error;
  }
}
