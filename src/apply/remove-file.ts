import { readdirSync, unlinkSync } from "node:fs";
import { dirname, join } from "node:path";
import { isErrno } from "../errors.ts";
import { syncDirectory } from "./directories.ts";
import { explainWriteErrors } from "./write-failed.ts";
import { isTemporaryName } from "./write-file.ts";

/**
 * Removes a file or a symbolic link, durably. One that is gone already is no error.
 *
 * @throws AgentError "write-failed"
 */
export async function removeFile(path: string): Promise<void> {
  await explainWriteErrors(`remove ${path}`, async () => {
    try {
      unlinkSync(path);
    } catch (error) {
      if (isErrno(error, "ENOENT")) return;
      throw error;
    }
    await syncDirectory(dirname(path));
  });
}

/**
 * Removes the temporary files that runs killed in the middle of a write have left in a directory. Only for the holder of
 * the lock: a temporary file of a run at work looks the same.
 */
export async function removeLeftovers(directory: string): Promise<void> {
  const names = await explainWriteErrors(`look for leftovers in ${directory}`, () => namesIn(directory));
  for (const name of names.filter(isTemporaryName)) await removeFile(join(directory, name));
}

function namesIn(directory: string): readonly string[] {
  try {
    return readdirSync(directory);
  } catch (error) {
    if (isErrno(error, "ENOENT") || isErrno(error, "ENOTDIR")) return [];
    throw error;
  }
}
