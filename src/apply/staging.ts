import { rmdirSync } from "node:fs";
import { dirname } from "node:path";
import { missingDirectories } from "./directories.ts";
import { type FileToPut, type NewFile, type PutFile, replaceFile, type StagedFile, stageFile } from "./write-file.ts";

/** Files that lie beside their places, or are on their way there: to put one in its place takes but a moment. */
export type Staging = {
  /** As replaceFile() does, which also serves what is not staged, or is staged with other contents. */
  readonly put: PutFile;
  /** Removes what was not put in its place, and the directories that were made for it. */
  readonly discard: () => Promise<void>;
};

/** Begins to write the files beside their places. Nobody hears of a failure, which shows again when the file is put there. */
export function beginStaging(files: readonly FileToPut[]): Staging {
  const missing = new Set(files.flatMap(({ path }) => missingDirectories(dirname(path))));
  const staged = new Set(files.map((one) => ({ ...one, written: stageFile(one.path, one.file).catch(() => undefined) })));
  return {
    put: async (path, file) => {
      const one = [...staged].find((candidate) => candidate.path === path && isSame(candidate.file, file));
      if (one !== undefined) staged.delete(one);
      const written = await one?.written;
      if (written === undefined || !(await isPut(written))) await replaceFile(path, file);
    },
    discard: async () => {
      if (staged.size === 0) return;
      const rest = [...staged];
      staged.clear();
      await Promise.all(rest.map(async ({ written }) => (await written)?.discard()));
      // The innermost first.
      for (const directory of [...missing].sort().toReversed()) removeIfEmpty(directory);
    },
  };
}

function isSame(one: NewFile, other: NewFile): boolean {
  return one.contents === other.contents && one.mode === other.mode && one.owner.uid === other.owner.uid && one.owner.gid === other.owner.gid;
}

async function isPut(file: StagedFile): Promise<boolean> {
  return file.put().then(() => true, () => false);
}

/** What has something in it is of use. */
function removeIfEmpty(directory: string): void {
  try {
    rmdirSync(directory);
  } catch {
    return;
  }
}
