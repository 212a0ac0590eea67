import { open } from "node:fs/promises";
import { AgentError, errnoOf, isErrno } from "../errors.ts";
import { PATHS } from "../lib/paths.ts";

/** Text of one source of configuration, not yet parsed. */
export type SourceText = { readonly source: string; readonly text: string };

/** More than any configuration is, and little enough to hold. */
const LARGEST_BYTES = 8 * 1024 * 1024;

/**
 * A file that the operator named.
 *
 * @param option how it was named, such as "option --kubelet-config-file"
 * @throws AgentError "source-unreadable"
 */
export async function readNamedFile(path: string, option: string): Promise<SourceText> {
  try {
    return { source: path, text: await readBounded(path) };
  } catch (error) {
    if (errnoOf(error) === undefined) throw error;
    throw unreadable(path, option, error);
  }
}

/** The file that eksctl's user data leaves for its own script to merge; undefined on nodes of others. */
export async function readEksctlKubeletExtra(root: string): Promise<SourceText | undefined> {
  const path = root + PATHS.eksctlKubeletExtra;
  try {
    return { source: PATHS.eksctlKubeletExtra, text: await readBounded(path) };
  } catch (error) {
    if (isErrno(error, "ENOENT") || isErrno(error, "ENOTDIR")) return undefined;
    if (errnoOf(error) === undefined) throw error;
    throw unreadable(path, "eksctl", error);
  }
}

async function readBounded(path: string): Promise<string> {
  const handle = await open(path, "r");
  try {
    const { size } = await handle.stat();
    if (size > LARGEST_BYTES) throw tooLarge(path, size);
    return await handle.readFile("utf8");
  } finally {
    await handle.close();
  }
}

function tooLarge(path: string, bytes: number): AgentError {
  return new AgentError("config-invalid", `Cannot use ${path} as configuration: it holds ${bytes} bytes, and at most ${LARGEST_BYTES} are read`, {
    remedy: "Name a file that holds only the configuration.",
  });
}

function unreadable(path: string, option: string, cause: unknown): AgentError {
  const reason = REASONS[errnoOf(cause) ?? ""] ?? errnoOf(cause) ?? "";
  return new AgentError("source-unreadable", `Cannot read ${path} (${option}): ${reason}`, {
    remedy: "Correct the path or the file's permissions; write_files in user data comes before runcmd.",
    cause,
  });
}

const REASONS: Readonly<Record<string, string>> = {
  ENOENT: "there is no such file",
  EACCES: "permission denied",
  EISDIR: "it is a directory",
};
