import { constants } from "node:fs";
import { lstat, open, readFile } from "node:fs/promises";
import { AgentError, isErrno } from "../errors.ts";
import { withBlock } from "../plan/block.ts";
import type { AddNote } from "./hooks.ts";
import type { Machine } from "./machine.ts";
import { targetOn } from "./real-path.ts";
import { explainWriteErrors } from "./write-failed.ts";
import { replaceFile } from "./write-file.ts";

/**
 * Puts the agent's block into a file of others, in the place of the one that is there; no lines remove it. The rest of the
 * file, its mode and its owner stay, and a symbolic link stays one. Where nothing may take the file's place, since something
 * is mounted on it, it is written in place, with a note.
 *
 * @throws AgentError "write-failed"
 */
export async function writeBlock(machine: Machine, path: string, lines: readonly string[], note: AddNote): Promise<void> {
  const target = await explainWriteErrors(`use ${path}`, () => targetOn(machine, path));
  // Read again, since others may have written to it after the comparison.
  const file = await explainWriteErrors(`read ${target}`, () => readWhole(target));
  const contents = withBlock(file?.contents ?? "", lines);
  if (contents === (file?.contents ?? "")) return;
  try {
    await replaceFile(target, { contents: Buffer.from(contents, "latin1"), mode: file?.mode ?? 0o644, owner: file ?? machine.owner });
  } catch (error) {
    if (!(error instanceof AgentError) || !isErrno(error.cause, "EBUSY")) throw error;
    await explainWriteErrors(`write ${target}`, () => overwrite(target, contents));
    note("written-in-place", `${path} was written in place, since something is mounted on it: a reader may for a moment have seen a part of it.`);
  }
}

type Whole = { readonly contents: string; readonly mode: number; readonly uid: number; readonly gid: number };

async function readWhole(path: string): Promise<Whole | undefined> {
  try {
    const { mode, uid, gid } = await lstat(path);
    // As bytes, since what is no UTF-8 must stay as it is.
    return { contents: await readFile(path, "latin1"), mode: mode & 0o7777, uid, gid };
  } catch (error) {
    if (isErrno(error, "ENOENT")) return undefined;
    throw error;
  }
}

/** The new text first and the cut afterwards: at no time is the file empty. */
async function overwrite(path: string, contents: string): Promise<void> {
  const handle = await open(path, constants.O_WRONLY | constants.O_NOFOLLOW);
  try {
    const bytes = Buffer.from(contents, "latin1");
    await handle.write(bytes, 0, bytes.length, 0);
    await handle.truncate(bytes.length);
    await handle.sync();
  } finally {
    await handle.close();
  }
}
