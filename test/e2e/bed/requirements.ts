import { spawnSync } from "node:child_process";
import { findTool } from "../../../packaging/tool.ts";

/** What the beds need beside a Debian's essentials: program, and the Debian package that brings it. */
export const PROGRAMS = [
  { program: "mmdebstrap", package: "mmdebstrap" },
  { program: "systemd-nspawn", package: "systemd-container" },
  { program: "rpmbuild", package: "rpm" },
  { program: "ip", package: "iproute2" },
  { program: "strace", package: "strace" },
  { program: "g++", package: "g++" },
  { program: "strip", package: "binutils" },
] as const;

/** Why this machine cannot make beds, or undefined if it can. */
export function whyNoBeds(): string | undefined {
  if (process.getuid?.() !== 0) return "a bed is made by root";
  const missing = PROGRAMS.filter(({ program }) => findTool(program) === undefined).map(({ program }) => program);
  if (missing.length > 0) return `${missing.join(", ")} not installed: "npm run e2e" installs what is missing`;
  const { status, stderr } = spawnSync("unshare", ["--mount", "--net", "--uts", "--ipc", "--pid", "--fork", "true"], { encoding: "utf8" });
  return status === 0 ? undefined : `namespaces cannot be made here: ${stderr.trim()}`;
}
