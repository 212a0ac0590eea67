import { statSync } from "node:fs";
import { open, readdir, stat } from "node:fs/promises";
import { basename, join } from "node:path";
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
  return { source: path, text: await readText(path, option) };
}

/**
 * The same for one that may be no text.
 *
 * @throws AgentError "source-unreadable"
 */
export function readNamedBytes(path: string, option: string): Promise<Buffer> {
  return orUnreadable(path, option, () => readBoundedBytes(path));
}

/**
 * The files of NodeConfig documents at a path that the operator named: the file, or those of the folder by name.
 *
 * @param option how it was named, such as "option --config-source"
 * @throws AgentError "source-unreadable"
 */
export async function readConfigPath(path: string, option: string): Promise<readonly SourceText[]> {
  const { isFolder } = await orUnreadable(path, option, async () => ({ isFolder: (await stat(path)).isDirectory() }));
  return isFolder ? readFolder(path, path, option) : [{ source: `file ${path}`, text: await readText(path, option) }];
}

/** The files of NodeConfig documents in the usual folders below `root`, where there are any, weakest first. */
export async function readDropIns(root: string): Promise<readonly SourceText[]> {
  const folders = await Promise.all([PATHS.nodeadmDropIns, PATHS.agentDropIns].map((path) => readUsualFolder(root, path)));
  return folders.flat();
}

async function readUsualFolder(root: string, path: string): Promise<readonly SourceText[]> {
  return mayBeThere(root + path) ? readFolder(root + path, path, USUAL) : [];
}

/** Looked at in place, since most nodes have nothing there. Why it cannot be looked at is told by who reads it. */
function mayBeThere(path: string): boolean {
  try {
    return statSync(path, { throwIfNoEntry: false }) !== undefined;
  } catch {
    return true;
  }
}

export type EksctlFiles = {
  /** Variables that eksctl's user data leaves for its own script to hand to bootstrap.sh. */
  readonly environment: SourceText | undefined;
  /** Fields that its script merges into kubelet's configuration. */
  readonly kubeletExtra: SourceText | undefined;
};

/** The files of eksctl's user data below `root`; undefined on nodes of others. */
export async function readEksctlFiles(root: string): Promise<EksctlFiles> {
  const [environment, kubeletExtra] = await Promise.all([PATHS.eksctlKubeletEnv, PATHS.eksctlKubeletExtra].map((path) => readEksctlFile(root, path)));
  return { environment, kubeletExtra };
}

/** The same files in a folder of any name. */
export async function readEksctlFolder(folder: string, option: string): Promise<EksctlFiles> {
  const read = async (name: string): Promise<SourceText | undefined> => {
    const text = await orAbsent(join(folder, name), option, () => readBounded(join(folder, name)));
    return text === undefined ? undefined : { source: name, text };
  };
  const [environment, kubeletExtra] = await Promise.all([PATHS.eksctlKubeletEnv, PATHS.eksctlKubeletExtra].map((path) => read(basename(path))));
  return { environment, kubeletExtra };
}

async function readEksctlFile(root: string, path: string): Promise<SourceText | undefined> {
  const text = mayBeThere(root + path) ? await orAbsent(root + path, "eksctl", () => readBounded(root + path)) : undefined;
  return text === undefined ? undefined : { source: path, text };
}

const USUAL = "a usual place";
const EXTENSIONS = [".yaml", ".yml", ".json"];

/** @param shown the folder's name in messages */
async function readFolder(path: string, shown: string, option: string): Promise<readonly SourceText[]> {
  const entries = await orUnreadable(path, option, () => readdir(path, { withFileTypes: true }));
  const names = entries.filter((entry) => !entry.isDirectory() && EXTENSIONS.some((extension) => entry.name.endsWith(extension))).map(({ name }) => name);
  return Promise.all(names.toSorted().map(async (name) => ({ source: `file ${join(shown, name)}`, text: await readText(join(path, name), option) })));
}

function readText(path: string, option: string): Promise<string> {
  return orUnreadable(path, option, () => readBounded(path));
}

async function readBounded(path: string): Promise<string> {
  return (await readBoundedBytes(path)).toString("utf8");
}

async function readBoundedBytes(path: string): Promise<Buffer> {
  const handle = await open(path, "r");
  try {
    // What a device or a pipe holds is not known before.
    return boundedBytes(await bytesOf(handle.createReadStream({ end: LARGEST_BYTES, autoClose: false })), path);
  } finally {
    await handle.close();
  }
}

async function bytesOf(stream: AsyncIterable<Buffer>): Promise<Buffer> {
  const chunks: Buffer[] = [];
  for await (const chunk of stream) chunks.push(chunk);
  return Buffer.concat(chunks);
}

function boundedBytes(bytes: Buffer, path: string): Buffer {
  if (bytes.length <= LARGEST_BYTES) return bytes;
  throw new AgentError("config-invalid", `Cannot use ${path} as configuration: it holds more than ${LARGEST_BYTES} bytes`, {
    remedy: "Name a file that holds only the configuration.",
  });
}

/** Undefined when there is nothing at the path. */
async function orAbsent<T>(path: string, option: string, read: () => Promise<T>): Promise<T | undefined> {
  return orUnreadable(path, option, async () => {
    try {
      return await read();
    } catch (error) {
      if (isErrno(error, "ENOENT") || isErrno(error, "ENOTDIR")) return undefined;
      throw error;
    }
  });
}

/** @throws AgentError "source-unreadable" in place of an error of the file system */
async function orUnreadable<T>(path: string, option: string, read: () => Promise<T>): Promise<T> {
  try {
    return await read();
  } catch (error) {
    if (error instanceof AgentError || errnoOf(error) === undefined) throw error;
    throw unreadable(path, option, error);
  }
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
