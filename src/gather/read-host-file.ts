import { readFile } from "node:fs/promises";
import { AgentError, errnoOf } from "../errors.ts";

/**
 * Text of a file; undefined when there is none.
 *
 * @throws AgentError "source-unreadable" when it is there and cannot be read
 */
export async function readHostFile(path: string): Promise<string | undefined> {
  return readFile(path, "utf8").catch(undefinedIfAbsent);
}

const ABSENT = ["ENOENT", "ENOTDIR"];

/**
 * For a promise's catch: a path that leads nowhere is an answer.
 *
 * @throws AgentError "source-unreadable" for another error of the file system
 */
export function undefinedIfAbsent(error: unknown): undefined {
  const errno = errnoOf(error);
  if (errno === undefined) throw error;
  if (ABSENT.includes(errno)) return undefined;
  const path = error instanceof Error && "path" in error ? String(error.path) : "";
  throw new AgentError("source-unreadable", `Cannot look at "${path}", a fact of this host: ${REASONS[errno] ?? errno}`, {
    remedy: "Run as root, or let the file be read by everyone.",
    cause: error,
  });
}

const REASONS: Readonly<Record<string, string>> = { EACCES: "permission denied", EPERM: "permission denied", EISDIR: "it is a directory", EIO: "input/output error" };
