import { type ChildProcess, spawn } from "node:child_process";
import { once } from "node:events";
import { closeSync, existsSync, openSync, readFileSync } from "node:fs";
import { makeControlGroups } from "./control-groups.ts";
import { until } from "./until.ts";

/** A systemd that runs. */
export type Boot = {
  /** Process id, here, of the bed's PID 1. */
  readonly leader: number;
  /** Kept when the machine is off. */
  readonly off: Promise<unknown>;
};

/**
 * Starts systemd as PID 1 of the tree at `root`, and returns when it takes orders, which is long before it has started everything.
 *
 * @param consoleLog file that what it writes on its console is added to
 */
export async function boot(name: string, root: string, consoleLog: string): Promise<Boot> {
  const nspawn = [
    ...["systemd-nspawn", "--quiet", `--directory=${root}`, "--boot", `--machine=${name}`, "--register=no", "--keep-unit"],
    ...[`--network-namespace-path=/run/netns/${name}`, "--resolv-conf=off", "--timezone=off", "--link-journal=no", "--console=read-only", "--capability=CAP_NET_ADMIN"],
  ];
  // The machine goes when the test does: Linux sends the signal when the parent ends, however it ends.
  const inGroups = 'while [ "$1" != -- ]; do echo $$ > "$1/cgroup.procs"; shift; done; shift; exec setpriv --pdeathsig KILL "$@"';
  const argv = ["-c", inGroups, "sh", ...makeControlGroups(name), "--", ...nspawn];
  const output = openSync(consoleLog, "a");
  const env = { PATH: process.env["PATH"] ?? "", SYSTEMD_NSPAWN_UNIFIED_HIERARCHY: "1" };
  const child = spawn("sh", argv, { stdio: ["ignore", output, output], env });
  closeSync(output);
  const off = once(child, "exit");
  const leader = await until("the bed's systemd takes orders", () => {
    if (child.exitCode !== null) throw new Error(`systemd-nspawn ended with ${child.exitCode}:\n${readFileSync(consoleLog, "utf8")}`);
    return leaderOf(child);
  });
  return { leader, off };
}

/** What listens when systemd takes orders: from `systemctl`, and from `systemd-run` by D-Bus. */
const SOCKETS = ["systemd/private", "dbus/system_bus_socket"];

function leaderOf(nspawn: ChildProcess): number | undefined {
  const pid = nspawn.pid;
  const [child = ""] = readFileSync(`/proc/${pid}/task/${pid}/children`, "utf8").split(" ");
  return child !== "" && SOCKETS.every((socket) => existsSync(`/proc/${child}/root/run/${socket}`)) ? Number(child) : undefined;
}
