/** `node test/e2e/bed/install.ts`, as root on a Debian or Ubuntu: installs the programs that the beds need, if one is missing. */
import { spawnSync } from "node:child_process";
import { findTool } from "../../../packaging/tool.ts";
import { PROGRAMS } from "./requirements.ts";

const packages = PROGRAMS.filter(({ program }) => findTool(program) === undefined).map((missing) => missing.package);
if (process.getuid?.() === 0 && packages.length > 0) {
  apt(["update"]);
  apt(["install", "--yes", "--no-install-recommends", ...packages]);
}

function apt(args: readonly string[]): void {
  // Another apt may be at work: a machine that has just been started updates itself.
  const argv = ["-q", "-o", "DPkg::Lock::Timeout=300", ...args];
  const { status } = spawnSync("apt-get", argv, { stdio: ["ignore", 2, 2], env: { ...process.env, DEBIAN_FRONTEND: "noninteractive" } });
  if (status !== 0) process.exit(1);
}
