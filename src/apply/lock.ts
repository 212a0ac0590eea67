import { constants } from "node:fs";
import { open, readFile, type FileHandle } from "node:fs/promises";
import { dirname } from "node:path";
import { AgentError, errnoOf, isErrno } from "../errors.ts";
import { CommandDeadlineError, runCommand, whyNotStarted } from "../io/command.ts";
import { makeDirectories } from "./directories.ts";
import { pathOn, type Machine } from "./machine.ts";
import { explainWriteErrors } from "./write-failed.ts";

export const LOCK_PATH = "/run/eks-node-agent/lock";

export type Lock = {
  /** Lets the next run in. The end of the process does the same. */
  readonly release: () => Promise<void>;
};

export type LockOptions = {
  /** How long to wait for another run to end. */
  readonly timeoutMs: number;
  readonly signal?: AbortSignal;
};

/** flock(1)'s status when the lock was not to be had in time; its other failures have other numbers. */
const BUSY_STATUS = 75;

/**
 * Makes this the only run on the machine until the lock is released.
 *
 * @throws AgentError "lock-busy" when another run holds it longer than `timeoutMs`, "program-missing" without flock(1),
 * "write-failed" when the lock's file cannot be made
 */
export async function acquireLock(machine: Machine, options: LockOptions): Promise<Lock> {
  const path = pathOn(machine, LOCK_PATH);
  const handle = await explainWriteErrors(`open ${path}`, () => openLockFile(path));
  try {
    await flock(handle.fd, path, options);
    await explainWriteErrors(`write ${path}`, () => signLockFile(handle));
  } catch (error) {
    await handle.close();
    throw error;
  }
  return { release: () => handle.close() };
}

async function openLockFile(path: string): Promise<FileHandle> {
  await makeDirectories(dirname(path));
  return open(path, constants.O_RDWR | constants.O_CREAT | constants.O_NOFOLLOW, 0o600);
}

/** Node.js has no flock(2). The lock belongs to the open file, which the program shares with us and leaves to us. */
async function flock(fd: number, path: string, { timeoutMs, signal }: LockOptions): Promise<void> {
  const argv = ["flock", "--conflict-exit-code", String(BUSY_STATUS), "--wait", String(timeoutMs / 1000), "3"];
  // It keeps the time itself; ours is for a flock that does not.
  const result = await runFlock(argv, timeoutMs + 5000, fd, path, signal);
  if (result.status === BUSY_STATUS) throw await lockBusy(path, timeoutMs);
  if (result.status !== 0) throw new Error(`"${argv.join(" ")}" on ${path} failed with status ${result.status}: ${result.stderr.trim()}`);
}

async function runFlock(argv: readonly string[], timeoutMs: number, fd: number, path: string, signal: AbortSignal | undefined) {
  try {
    return await runCommand(argv, { timeoutMs, inheritFds: [fd], ...(signal && { signal }) });
  } catch (error) {
    if (error instanceof CommandDeadlineError) throw await lockBusy(path, timeoutMs);
    const why = whyNotStarted("flock", error);
    if (why === undefined) throw error;
    throw new AgentError("program-missing", `Cannot lock against other runs: ${why}`, {
      remedy: "Install util-linux.",
      cause: error,
    });
  }
}

async function lockBusy(path: string, timeoutMs: number): Promise<AgentError> {
  const message = `Another run of eks-node-agent${await showHolder(path)} holds ${path} for more than ${timeoutMs / 1000} s`;
  return new AgentError("lock-busy", message, { remedy: "Wait for it to end, or see what it waits for: journalctl -u eks-node-agent." });
}

/** ", process 1234,"; "" when the file does not name a living process. */
async function showHolder(path: string): Promise<string> {
  const pid = Number(await readFile(path, "utf8"));
  return Number.isSafeInteger(pid) && pid > 0 && isAlive(pid) ? `, process ${pid},` : "";
}

function isAlive(pid: number): boolean {
  try {
    process.kill(pid, 0);
    return true;
  } catch (error) {
    if (errnoOf(error) === undefined) throw error;
    return isErrno(error, "EPERM");
  }
}

async function signLockFile(handle: FileHandle): Promise<void> {
  await handle.truncate(0);
  await handle.write(`${process.pid}\n`, 0);
}
