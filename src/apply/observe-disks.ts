import { readFile } from "node:fs/promises";
import { basename } from "node:path";
import { parseLsblk, type BlockDevice } from "../lib/lsblk.ts";
import { parseMountInfo } from "../lib/mount-info.ts";
import type { DiskContents, ObservedArray, ObservedDisk, ObservedDisks } from "../plan/plan.ts";
import { demandOfDisks, diskCommand, settleDevices } from "./disk-command.ts";

/** `--paths` in place of the column PATH, which util-linux has had since 2.33. */
const LSBLK = ["lsblk", "--json", "--bytes", "--paths", "--output", "NAME,MAJ:MIN,TYPE,SIZE,FSTYPE,LABEL,UUID,PTTYPE,MOUNTPOINT"];

/**
 * What is on the disks, and all that is mounted.
 *
 * @throws AgentError "program-missing", "disks-failed" when it cannot be told
 */
export async function observeDisks(devices: readonly string[], signal: AbortSignal | undefined): Promise<ObservedDisks> {
  await settleDevices(signal);
  const [text, mountInfo] = await Promise.all([demandOfDisks([...LSBLK, "--", ...devices], { signal }), readFile("/proc/self/mountinfo", "utf8")]);
  const found = parseLsblk(text);
  const disks = await Promise.all(devices.map((device) => observeDisk(device, found.find(({ name }) => name === device), signal)));
  return { disks, mounts: parseMountInfo(mountInfo) };
}

async function observeDisk(device: string, found: BlockDevice | undefined, signal: AbortSignal | undefined): Promise<ObservedDisk> {
  if (found === undefined) return { device, number: "", holds: { kind: "other", what: "what lsblk does not tell of" }, mountPoint: undefined };
  const isMember = found.fstype === "linux_raid_member";
  return { device, number: found.number, mountPoint: found.mountpoint, holds: isMember ? { kind: "array-member", array: await observeArray(found, signal) } : contentsOf(found) };
}

/** Of an array that runs everybody may know all; of one that does not its parts tell, to root. */
async function observeArray(member: BlockDevice, signal: AbortSignal | undefined): Promise<ObservedArray> {
  const { uuid = "", label = "", name: device } = member;
  const array = member.children.find(({ type }) => type === "md" || type.startsWith("raid"));
  const isRunning = array !== undefined && array.size > 0;
  const { level, disks } = isRunning ? { level: array.type, disks: await disksOf(array) } : await examine(device, signal);
  return { uuid, name: nameOf(label), level, disks, device: array?.name, number: array?.number, isRunning, holds: array === undefined ? { kind: "nothing" } : contentsOf(array) };
}

/** How many it has when it is whole. */
async function disksOf({ name }: BlockDevice): Promise<number> {
  return Number(await readFile(`/sys/class/block/${basename(name)}/md/raid_disks`, "utf8"));
}

async function examine(device: string, signal: AbortSignal | undefined): Promise<Pick<ObservedArray, "level" | "disks">> {
  const { stdout } = await diskCommand(["mdadm", "--examine", "--export", device], { signal });
  const told = (name: string): string | undefined => new RegExp(`^${name}=(.*)$`, "m").exec(stdout)?.[1];
  return { level: told("MD_LEVEL") ?? "unknown level", disks: Number(told("MD_DEVICES") ?? 0) };
}

/** "kubernetes" of "node:kubernetes", which has the name of the host that made it. */
function nameOf(label: string): string {
  return label.slice(label.lastIndexOf(":") + 1);
}

function contentsOf({ fstype, label = "", pttype, children }: BlockDevice): Exclude<DiskContents, { kind: "array-member" }> {
  if (fstype !== undefined) return { kind: "file-system", type: fstype, label };
  if (pttype !== undefined) return { kind: "other", what: `a partition table (${pttype})` };
  return children.length === 0 ? { kind: "nothing" } : { kind: "other", what: children.map(({ name, type }) => `${name} (${type})`).join(", ") };
}
