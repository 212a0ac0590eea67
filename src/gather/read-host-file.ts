import { readFileSync } from "node:fs";
import { AgentError, errnoOf } from "../errors.ts";

/**
 * Text of a file; undefined when there is none.
 *
 * @throws AgentError "source-unreadable" when it is there and cannot be read
 */
export function readHostFile(path: string): string | undefined {
  return ifThere(path, () => readFileSync(path, "utf8"));
}

const ABSENT = ["ENOENT", "ENOTDIR"];

/**
 * What `look` finds at `path`; undefined where the path leads nowhere. It is not waited for in another thread: what is looked at here is small
 * and on this machine, and to wait would take longer than to look.
 *
 * @throws AgentError "source-unreadable" for another error of the file system
 */
export function ifThere<T>(path: string, look: (path: string) => T): T | undefined {
  try {
    return look(path);
  } catch (error) {
    const errno = errnoOf(error);
    if (errno === undefined) throw error;
    if (ABSENT.includes(errno)) return undefined;
    throw new AgentError("source-unreadable", `Cannot look at "${path}", a fact of this host: ${REASONS[errno] ?? errno}`, {
      remedy: "Run as root, or let the file be read by everyone.",
      cause: error,
    });
  }
}

const REASONS: Readonly<Record<string, string>> = { EACCES: "permission denied", EPERM: "permission denied", EISDIR: "it is a directory", EIO: "input/output error" };
