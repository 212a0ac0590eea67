import { realpathSync } from "node:fs";
import { dirname } from "node:path";
import { AgentError, isErrno } from "../errors.ts";
import { pathOn, type Machine } from "./machine.ts";

/**
 * An image's absolute symbolic link, such as /var/run to /run, would lead from the image to the machine that builds it.
 *
 * @throws AgentError "write-failed" when the path's directory is such a one
 */
export function refuseWayOut({ root }: Machine, path: string): void {
  if (root === "") return;
  const [directory, inside] = [realpathOfExisting(dirname(root + path)), realpathSync(root)];
  if (!isWithin(directory, inside)) throw wayOut(root + path, "its directory is", root, directory);
}

/**
 * Where the file itself is, when the path may be a symbolic link to it. The path as it is where there is nothing.
 *
 * @throws AgentError "write-failed" when the link leads out of the machine's root
 */
export function targetOn(machine: Machine, path: string): string {
  const { root } = machine;
  try {
    const [target, inside] = [realpathSync(pathOn(machine, path)), realpathSync(root === "" ? "/" : root)];
    if (root !== "" && !isWithin(target, inside)) throw wayOut(pathOn(machine, path), "it is", root, target);
    return target;
  } catch (error) {
    if (isErrno(error, "ENOENT")) return pathOn(machine, path);
    throw error;
  }
}

function isWithin(path: string, directory: string): boolean {
  return path === directory || path.startsWith(`${directory}/`);
}

function wayOut(path: string, what: string, root: string, target: string): AgentError {
  return new AgentError("write-failed", `Cannot use ${path}: ${what} a symbolic link out of ${root}, to ${target}`, {
    remedy: "Make the link relative, or run eks-node-agent inside the image with chroot.",
  });
}

function realpathOfExisting(directory: string): string {
  try {
    return realpathSync(directory);
  } catch (error) {
    if (isErrno(error, "ENOENT") && directory !== "/") return realpathOfExisting(dirname(directory));
    throw error;
  }
}
