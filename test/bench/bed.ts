import { chmodSync, readFileSync, rmSync } from "node:fs";
import { SMALL_SYSTEMCTL } from "../../packaging/enclosure.ts";
import { install } from "../../packaging/root-directory.ts";
import { CAN_CHROOT, makeNodeRoot, type NodeRoot } from "../program/node-root.ts";
import { CA_BUNDLE, NAMED_FILES } from "./scenarios.ts";

/** A machine as an image leaves it, in a folder that becomes the root. */
export type Bed = {
  readonly node: NodeRoot;
  /** What runs a program of that machine. */
  readonly argv: (program: string, args: readonly string[]) => readonly [string, ...string[]];
  /** Makes it a machine on which the agent never ran. */
  readonly reset: () => void;
};

export const EMPTY_PROGRAM = "/usr/bin/empty";

/** What the agent leaves. */
const LEFT = ["/etc/kubernetes", "/etc/containerd", "/etc/systemd", "/var/lib/kubelet", "/var/lib/eks-node-agent", "/run/started"];

/**
 * @param empty the executable that does nothing
 * @throws Error without root, which changing the root directory takes
 */
export function makeBed(empty: string): Bed {
  if (!CAN_CHROOT) throw new Error("The benchmark needs root: its runs have a root directory of their own, so that they write every file and start units");
  const node = makeNodeRoot();
  install(node.path, empty, EMPTY_PROGRAM);
  node.write("/usr/bin/systemctl", SMALL_SYSTEMCTL);
  chmodSync(`${node.path}/usr/bin/systemctl`, 0o755);
  for (const path of Object.values(NAMED_FILES)) node.write(path, readFileSync(path, "utf8"));
  // Newer than the programs, as the image's own are: they need not be asked.
  node.write("/etc/eks/kubelet-version.txt", "v1.29.3\n");
  node.write("/etc/hosts", "127.0.0.1 localhost\n");
  node.write(CA_BUNDLE, readFileSync(new URL("../simulator/tls/ca.crt", import.meta.url), "utf8"));
  node.write("/etc/eks/containerd-version.txt", "1.7.11\n");
  return {
    node,
    argv: (program, args) => ["chroot", node.path, program, ...args],
    reset: () => LEFT.forEach((path) => rmSync(node.path + path, { recursive: true, force: true })),
  };
}
