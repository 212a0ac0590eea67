import { resolve } from "node:path";
import { type Owner, ROOT } from "../plan/owner.ts";

/** The machine that is changed: this one, or a directory that becomes one, such as an image being built. */
export type Machine = {
  /** "" for this machine, else an absolute path without a final slash, put before every path of a plan. */
  readonly root: string;
  /** Whether there is a systemd that runs from these files. */
  readonly hasUnits: boolean;
  /** Who owns what is written. */
  readonly owner: Owner;
};

/** The state that the agent keeps between runs. */
export const STATE_DIRECTORY = "/var/lib/eks-node-agent";

/** @param root value of `--root`; undefined, "" and "/" are this machine */
export function machineAt(root = ""): Machine {
  const directory = root === "" ? "" : resolve(root);
  if (directory === "" || directory === "/") return { root: "", hasUnits: true, owner: ROOT };
  return { root: directory, hasUnits: false, owner: { uid: process.geteuid?.() ?? 0, gid: process.getegid?.() ?? 0 } };
}

/** Where a path of the plan is for this process. */
export function pathOn(machine: Machine, path: string): string {
  return machine.root + path;
}
