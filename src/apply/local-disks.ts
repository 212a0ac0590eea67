import { lstat, mkdir, open, rename, rm } from "node:fs/promises";
import { dirname } from "node:path";
import { AgentError, errnoOf, isErrno } from "../errors.ts";
import { ARRAY_DEVICE, ARRAY_NAME } from "../plan/compare-array.ts";
import type { DiskStep } from "../plan/around-disks.ts";
import { syncDirectory } from "./directories.ts";
import { demandOfDisks, diskCommand, settleDevices } from "./disk-command.ts";
import { demandOfSystemctl } from "./systemctl.ts";

/** A node's image has some gigabytes of container images at most. */
const COPY_TIMEOUT_MS = 1_800_000;

type Signal = AbortSignal | undefined;

/**
 * Takes a step. Killed at any point it leaves what the next run goes on from: nothing is overwritten that was not found to be
 * blank, or a part of an array of the agent's that is lost, and what is copied counts only when all of it is there.
 *
 * @throws AgentError "disks-failed", "disks-in-use", "unit-not-up", "program-missing"
 */
export async function takeDiskStep(step: DiskStep, signal: Signal): Promise<void> {
  switch (step.kind) {
    case "create-array":
      return createArray(step, signal);
    case "assemble-array":
      return assembleArray(step, signal);
    case "make-file-system":
      return makeFileSystem(step, signal);
    case "mount":
      return mount(step.unit, signal);
    case "stop-unit":
      return void (await demandOfSystemctl(["stop", "--", step.unit], step.unit, signal));
    case "copy-directory":
      return copyDirectory(step.from, step.to, signal);
  }
}

/** Tried twice: the first may join what the boot has asked for, whose patience ends at that very moment. */
async function mount(unit: string, signal: Signal): Promise<void> {
  const start = (): Promise<unknown> => demandOfSystemctl(["start", "--", unit], unit, signal);
  await start().catch((error: unknown) => {
    signal?.throwIfAborted();
    if (error instanceof AgentError && error.code === "unit-not-up") return start();
    throw error;
  });
}

type Step<Kind extends DiskStep["kind"]> = Extract<DiskStep, { kind: Kind }>;

/**
 * Forced, since mdadm asks whether one disk is meant to be an array. What it asks besides, of an empty input, is answered no.
 *
 * The beginning of the array's data is cleared before, on each disk: an earlier array may have left a file system there, of which
 * systemd would mount the half that is left as soon as the array runs. Not while the disk is a part of that array: when it is closed
 * after a write, udev looks at it again, and would begin to assemble it.
 */
async function createArray({ level, devices, leftovers, stop }: Step<"create-array">, signal: Signal): Promise<void> {
  // These first: if they are not blank, or cannot be written to, the others may still be of use.
  for (const device of devices.filter((each) => !leftovers.includes(each))) await prepareDisk(device, signal);
  await stopArray(stop, signal);
  for (const device of leftovers) {
    await demandOfDisks(["mdadm", "--zero-superblock", device], { signal });
    await prepareDisk(device, signal);
  }
  await settleDevices(signal);
  await demandOfDisks(["mdadm", "--create", ARRAY_DEVICE, "--force", ...optionsOf(level), `--raid-devices=${devices.length}`, ...devices], { signal });
  await settleDevices(signal);
}

async function prepareDisk(device: string, signal: Signal): Promise<void> {
  await refuseUnlessBlank(device, signal);
  await clearBeginning(device);
}

const MIB = 1024 * 1024;

/** Where the array's data begin on each disk; what lies before is the array's own. */
const DATA_OFFSET_MIB = 16;

/** An array of any host's; without a bitmap, after which newer versions ask. */
function optionsOf(level: Step<"create-array">["level"]): readonly string[] {
  const options = [`--level=${level.replace("raid", "")}`, `--name=${ARRAY_NAME}`, "--homehost=any", `--data-offset=${DATA_OFFSET_MIB}M`];
  return level === "raid10" ? [...options, "--bitmap=none"] : options;
}

async function clearBeginning(device: string): Promise<void> {
  try {
    await writeZeros(device);
  } catch (error) {
    const errno = errnoOf(error);
    if (errno === undefined) throw error;
    throw new AgentError("disks-failed", `Cannot write to "${device}", which is to be a part of an array: ${errno}`, { remedy: "See the kernel's log (journalctl -k). A disk that is broken is replaced with the instance.", cause: error });
  }
}

async function writeZeros(device: string): Promise<void> {
  const handle = await open(device, "r+");
  try {
    await handle.write(Buffer.alloc(MIB), 0, MIB, DATA_OFFSET_MIB * MIB);
    await handle.sync();
  } finally {
    await handle.close();
  }
}

/** Without the parts that are missing, where the level bears that. */
async function assembleArray({ devices, stop }: Step<"assemble-array">, signal: Signal): Promise<void> {
  await stopArray(stop, signal);
  await demandOfDisks(["mdadm", "--assemble", "--run", ARRAY_DEVICE, ...devices], { signal });
  await settleDevices(signal);
}

async function stopArray(device: string | undefined, signal: Signal): Promise<void> {
  if (device === undefined) return;
  await demandOfDisks(["mdadm", "--stop", device], { signal });
  await settleDevices(signal);
}

/** Looked for on the disk itself: what was observed comes from udev, which may be late. */
async function refuseUnlessBlank(device: string, signal: Signal): Promise<void> {
  const { status, stdout } = await diskCommand(["blkid", "--probe", device], { signal });
  if (status === NOTHING_FOUND) return;
  throw new AgentError("disks-in-use", `Cannot make an array with ${device}, which is not blank any more: ${stdout.trim()}`, { remedy: "Run eks-node-agent again: it looks at the disks anew." });
}

const NOTHING_FOUND = 2;

/**
 * Not forced: mkfs.xfs refuses to overwrite what it knows. The log's stripe is smaller than an array's, which is more than XFS
 * takes for it. The disks of an instance come trimmed: -K.
 */
async function makeFileSystem({ device, label }: Step<"make-file-system">, signal: Signal): Promise<void> {
  await demandOfDisks(["mkfs.xfs", "-q", "-K", "-l", "su=8b", "-L", label, device], { signal });
  await settleDevices(signal);
}

/**
 * Copies the directory with all that it says of its files: owners, times, links, extended attributes. It has its name only when it is
 * whole and on the disk. One that has is newer than what it was copied from, which stays as it is below the mount: an array that comes back
 * blank is filled from it again.
 */
async function copyDirectory(from: string, to: string, signal: Signal): Promise<void> {
  if (await exists(to)) return;
  const unfinished = `${to}.unfinished`;
  await rm(unfinished, { recursive: true, force: true });
  if (await exists(from)) await demandOfDisks(["cp", "--archive", "--one-file-system", "--", `${from}/.`, unfinished], { signal, timeoutMs: COPY_TIMEOUT_MS });
  else await mkdir(unfinished, { mode: 0o755 });
  await demandOfDisks(["sync", "--file-system", unfinished], { signal });
  await rename(unfinished, to);
  await syncDirectory(dirname(to));
}

async function exists(path: string): Promise<boolean> {
  try {
    await lstat(path);
    return true;
  } catch (error) {
    if (isErrno(error, "ENOENT")) return false;
    throw error;
  }
}
