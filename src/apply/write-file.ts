import { randomBytes } from "node:crypto";
import { closeSync, constants, fchmodSync, fchownSync, openSync, renameSync, rmSync, writeFileSync } from "node:fs";
import { basename, dirname, join } from "node:path";
import type { Owner } from "../plan/owner.ts";
import { makeDirectories, syncDirectory, syncFile } from "./directories.ts";
import { explainWriteErrors } from "./write-failed.ts";

export type NewFile = {
  readonly contents: string | Uint8Array;
  /** Permission bits, independent of the umask. */
  readonly mode: number;
  readonly owner: Owner;
};

export type FileToPut = { readonly path: string; readonly file: NewFile };

/** replaceFile(), or what does the same. */
export type PutFile = (path: string, file: NewFile) => Promise<void>;

/** Of file name and temporary name; a file name may have 255 bytes. */
const KEPT_NAME_BYTES = 200;

/** A file that lies whole and durable beside its place. */
export type StagedFile = {
  /**
   * Puts it in its place, which a power loss may undo.
   *
   * @throws the system error; nothing of the attempt is left then
   */
  readonly place: () => void;
  /**
   * Puts it in its place; durable when it returns.
   *
   * @throws the system error; nothing of the attempt is left then
   */
  readonly put: () => Promise<void>;
  /** Removes it. */
  readonly discard: () => Promise<void>;
};

/**
 * Puts a file in place so that its path holds the whole old file or the whole new one at any instant, also after a power
 * loss, and the new one once this returns. A symbolic link at the path is replaced, not followed. Missing directories are
 * made.
 *
 * @param path absolute, as this process sees it
 * @throws AgentError "write-failed"; nothing of the attempt is left then
 */
export async function replaceFile(path: string, file: NewFile): Promise<void> {
  await explainWriteErrors(`write ${path}`, async () => (await stageFile(path, file)).put());
}

/**
 * The same for what is no loss if the power fails a moment later: the path then has the whole old file.
 *
 * @throws as replaceFile() does
 */
export async function replaceRecord(path: string, file: NewFile): Promise<void> {
  await explainWriteErrors(`write ${path}`, async () => (await stageFile(path, file)).place());
}

/**
 * Writes a file beside its place, and makes its directory.
 *
 * @throws the system error; nothing of the file is left then
 */
export async function stageFile(path: string, file: NewFile): Promise<StagedFile> {
  const directory = dirname(path);
  const made = makeDirectories(directory);
  // In the same directory, since rename(2) is atomic only within one file system.
  const temporary = join(directory, temporaryName(basename(path)));
  try {
    await writeNew(temporary, file);
  } catch (error) {
    removeIfPossible(temporary);
    throw error;
  }
  const place = (): void => {
    try {
      renameSync(temporary, path);
    } catch (error) {
      removeIfPossible(temporary);
      throw error;
    }
  };
  return {
    place,
    put: async () => {
      place();
      await Promise.all([made, syncDirectory(directory)]);
    },
    discard: async () => {
      removeIfPossible(temporary);
      await Promise.allSettled([made]);
    },
  };
}

/** Whether a name is one that a killed run may have left. */
export function isTemporaryName(name: string): boolean {
  return /^\..+\.eks-node-agent-[0-9a-f]{16}$/.test(name);
}

function temporaryName(name: string): string {
  const kept = Buffer.from(name).subarray(0, KEPT_NAME_BYTES).toString("latin1").replaceAll(/[^\x21-\x7e]/g, "_");
  return `.${kept}.eks-node-agent-${randomBytes(8).toString("hex")}`;
}

/** The calls that only hand something to the kernel are not waited for: to wait would take longer than they do. */
async function writeNew(path: string, { contents, mode, owner }: NewFile): Promise<void> {
  const flags = constants.O_WRONLY | constants.O_CREAT | constants.O_EXCL | constants.O_NOFOLLOW;
  const fd = openSync(path, flags, 0o600);
  try {
    writeFileSync(fd, contents);
    fchownSync(fd, owner.uid, owner.gid);
    // After the owner, since chown(2) may clear bits.
    fchmodSync(fd, mode);
    await syncFile(fd);
  } finally {
    closeSync(fd);
  }
}

/** What failed first is what the operator must hear; a temporary file that stays is removed by the next run. */
function removeIfPossible(path: string): void {
  try {
    rmSync(path, { force: true });
  } catch {
    return;
  }
}
