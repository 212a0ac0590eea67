import { existsSync, mkdirSync, readdirSync, rmdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { isErrno } from "../../../src/errors.ts";
import { until } from "./until.ts";

/** The hierarchies that systemd uses: one, or on a machine of the hybrid kind its own and the unified one. */
const HIERARCHIES = existsSync("/sys/fs/cgroup/cgroup.controllers") ? ["/sys/fs/cgroup"] : ["/sys/fs/cgroup/unified", "/sys/fs/cgroup/systemd"];

/** Makes control groups of this name, one in each hierarchy: beds that shared one would count each other's processes as theirs. */
export function makeControlGroups(name: string): readonly string[] {
  const groups = HIERARCHIES.map((hierarchy) => join(hierarchy, name));
  for (const group of groups) mkdirSync(group, { recursive: true });
  return groups;
}

/** Kills what is left in them, and removes them when that is gone. */
export async function removeControlGroups(name: string): Promise<void> {
  const groups = HIERARCHIES.map((hierarchy) => join(hierarchy, name)).filter((group) => existsSync(group));
  // Only the unified hierarchy has it.
  for (const killer of groups.map((group) => join(group, "cgroup.kill")).filter((path) => existsSync(path))) writeFileSync(killer, "1");
  for (const group of groups) await until(`nothing is left in ${group}`, () => isRemoved(group));
}

function isRemoved(group: string): boolean {
  try {
    removeDeep(group);
    return true;
  } catch (error) {
    if (isErrno(error, "EBUSY")) return false;
    throw error;
  }
}

function removeDeep(group: string): void {
  const children = readdirSync(group, { withFileTypes: true }).filter((entry) => entry.isDirectory());
  for (const child of children) removeDeep(join(group, child.name));
  rmdirSync(group);
}
