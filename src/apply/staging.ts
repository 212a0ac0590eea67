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
  const staged = new Map(files.map(({ path, file }) => [path, { file, written: stageFile(path, file).catch(() => undefined) }]));
  const take = async (path: string): Promise<StagedFile | undefined> => {
    const one = staged.get(path);
    staged.delete(path);
    return one?.written;
  };
  return {
    put: async (path, file) => {
      const isStaged = isSame(staged.get(path)?.file, file);
      const one = isStaged ? await take(path) : undefined;
      if (one === undefined || !(await isPut(one))) await replaceFile(path, file);
    },
    discard: async () => {
      if (staged.size === 0) return;
      await Promise.all([...staged.keys()].map(async (path) => (await take(path))?.discard()));
      // The innermost first.
      for (const directory of [...missing].sort().toReversed()) removeIfEmpty(directory);
    },
  };
}

function isSame(one: NewFile | undefined, other: NewFile): boolean {
  return one?.contents === other.contents && one.mode === other.mode && one.owner.uid === other.owner.uid && one.owner.gid === other.owner.gid;
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
