import { getSystemErrorMap } from "node:util";
import { AgentError, errnoOf } from "../errors.ts";

const REMEDIES: Readonly<Record<string, string>> = {
  ENOSPC: "Free space or inodes on its file system (df -h, df -i), then run eks-node-agent again.",
  EDQUOT: "Raise the disk quota of root on its file system, then run eks-node-agent again.",
  EROFS: "Its file system is mounted read-only, perhaps after a disk error (see dmesg): remount it read-write, then run eks-node-agent again.",
  EACCES: "Run eks-node-agent as root. If it was root, see whether SELinux denied it (ausearch -m avc).",
  EPERM: "Run eks-node-agent as root. If it was root, see whether the file or its directory is immutable (lsattr).",
  EISDIR: "Move the directory away, then run eks-node-agent again.",
  ENOTEMPTY: "Move the directory away, then run eks-node-agent again.",
  ENOTDIR: "Something that is no directory is in its path: move it away, then run eks-node-agent again.",
  EEXIST: "Something that is no directory is in its path: move it away, then run eks-node-agent again.",
  ELOOP: "Remove the symbolic links in its path that lead to themselves, then run eks-node-agent again.",
  EBUSY: "Something is mounted on it: unmount it, then run eks-node-agent again.",
  EIO: "The disk fails (see dmesg): replace the instance.",
};

/**
 * Does something to the file system, and explains its failure.
 *
 * @param action what is done and to what, such as "write /etc/kubernetes/pki/ca.crt"
 * @throws AgentError "write-failed" for a system error; any other error as it is
 */
export async function explainWriteErrors<T>(action: string, write: () => T | Promise<T>): Promise<T> {
  try {
    return await write();
  } catch (error) {
    const errno = errnoOf(error);
    if (error instanceof AgentError || errno === undefined) throw error;
    const remedy = REMEDIES[errno] ?? "Every file is whole, old or new: run eks-node-agent again once the cause is gone.";
    throw new AgentError("write-failed", `Cannot ${action}: ${describe(error, errno)}`, { remedy, cause: error });
  }
}

/** "no space left on device (ENOSPC)" */
function describe(error: unknown, errno: string): string {
  const number = error instanceof Error && "errno" in error ? Number(error.errno) : Number.NaN;
  const [, text] = getSystemErrorMap().get(number) ?? [errno, "failed"];
  return `${text} (${errno})`;
}
