import { existsSync, mkdirSync, readdirSync, rmdirSync, type Dirent } from "node:fs";
import { join } from "node:path";

/** The hierarchies that systemd uses: one, or on a machine of the hybrid kind its own and the unified one. */
const HIERARCHIES = existsSync("/sys/fs/cgroup/cgroup.controllers") ? ["/sys/fs/cgroup"] : ["/sys/fs/cgroup/unified", "/sys/fs/cgroup/systemd"];

/** Makes control groups of this name, one in each hierarchy: beds that shared one would count each other's processes as theirs. */
export function makeControlGroups(name: string): readonly string[] {
  const groups = HIERARCHIES.map((hierarchy) => join(hierarchy, name));
  for (const group of groups) mkdirSync(group, { recursive: true });
  return groups;
}

/** Removes them when their processes are gone. */
export function removeControlGroups(name: string): void {
  for (const hierarchy of HIERARCHIES) {
    const group = join(hierarchy, name);
    if (existsSync(group)) removeDeep(group);
  }
}

function removeDeep(group: string): void {
  const children = readdirSync(group, { withFileTypes: true }).filter((entry: Dirent) => entry.isDirectory());
  for (const child of children) removeDeep(join(group, child.name));
  rmdirSync(group);
}
