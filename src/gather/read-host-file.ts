import { readFile } from "node:fs/promises";
import { AgentError, errnoOf } from "../errors.ts";

/**
 * Text of a file; undefined when there is none.
 *
 * @throws AgentError "source-unreadable" when it is there and cannot be read
 */
export async function readHostFile(path: string): Promise<string | undefined> {
  return readFile(path, "utf8").catch(undefinedIfAbsent(path));
}

const ABSENT = ["ENOENT", "ENOTDIR"];

/**
 * For the catch of a promise about `path`: that it leads nowhere is an answer.
 *
 * @throws AgentError "source-unreadable" for another error of the file system
 */
export function undefinedIfAbsent(path: string): (error: unknown) => undefined {
  return (error) => {
    const errno = errnoOf(error);
    if (errno === undefined) throw error;
    if (ABSENT.includes(errno)) return undefined;
    throw new AgentError("source-unreadable", `Cannot look at "${path}", a fact of this host: ${REASONS[errno] ?? errno}`, {
      remedy: "Run as root, or let the file be read by everyone.",
      cause: error,
    });
  };
}

const REASONS: Readonly<Record<string, string>> = { EACCES: "permission denied", EPERM: "permission denied", EISDIR: "it is a directory", EIO: "input/output error" };
