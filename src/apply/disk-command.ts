import { AgentError } from "../errors.ts";
import { CommandDeadlineError, type CommandResult, runCommand, whyNotStarted } from "../io/command.ts";

export type DiskCommandOptions = { readonly timeoutMs?: number; readonly signal?: AbortSignal | undefined };

/** A disk that does not answer within this is broken; what copies data is given more. */
const TIMEOUT_MS = 120_000;

/** Program to the package that has it. */
const PACKAGES: Readonly<Record<string, string>> = { mdadm: "mdadm", "mkfs.xfs": "xfsprogs", lsblk: "util-linux", blkid: "util-linux", udevadm: "systemd-udev", cp: "coreutils", sync: "coreutils" };

/**
 * Runs a program of the disks' and returns how it ended, whatever its exit status.
 *
 * @throws AgentError "program-missing", "disks-failed" when it does not end
 */
export async function diskCommand(argv: readonly string[], { timeoutMs = TIMEOUT_MS, signal }: DiskCommandOptions = {}): Promise<CommandResult> {
  const [program = ""] = argv;
  try {
    return await runCommand(argv, { timeoutMs, env: { LC_ALL: "C" }, ...(signal && { signal }) });
  } catch (error) {
    if (error instanceof CommandDeadlineError) throw new AgentError("disks-failed", `The local disks do not answer: ${error.message}`, { remedy: "See the kernel's log: journalctl -k.", cause: error });
    const why = whyNotStarted(program, error);
    if (why === undefined) throw error;
    throw new AgentError("program-missing", `Cannot set up the local disks: ${why}`, { remedy: `Install the package ${PACKAGES[program] ?? program} in the image.`, cause: error });
  }
}

/**
 * Has a program do something.
 *
 * @returns its stdout
 * @throws AgentError "disks-failed" in its own words when it fails, and as diskCommand() does
 */
export async function demandOfDisks(argv: readonly string[], options: DiskCommandOptions = {}): Promise<string> {
  const { status, signal, stdout, stderr } = await diskCommand(argv, options);
  if (status === 0) return stdout;
  throw new AgentError("disks-failed", `"${argv.join(" ")}" failed with ${status === null ? String(signal) : `status ${status}`}`, {
    remedy: "See the state of the disks (lsblk --fs, cat /proc/mdstat, journalctl -k), then run eks-node-agent again: it goes on where it was.",
    lines: stderr.trim().split("\n").filter((line) => line !== "").slice(0, 10),
  });
}

/** Waits until udev has made the links to what there is now. One that takes longer is no failure: whoever needs a link waits for it too. */
export async function settleDevices(signal: AbortSignal | undefined): Promise<void> {
  await diskCommand(["udevadm", "settle", "--timeout=30"], { signal });
}
