import { spawn } from "node:child_process";
import { once } from "node:events";
import { join } from "node:path";
import { findTool } from "../../packaging/tool.ts";

/** What stands in for systemd and its journal: datagrams on a Unix socket. */
export type Receiver = {
  /** What came, in its order; nothing more is received. */
  readonly received: () => Promise<readonly Buffer[]>;
};

export const CAN_RECEIVE = findTool("perl") !== undefined;

/** @param socket a path, or "@" and a name outside of the file system */
export async function receiver(socket: string): Promise<Receiver> {
  const child = spawn("perl", [join(import.meta.dirname, "receive-datagrams.pl"), socket], { stdio: ["ignore", "pipe", "inherit"] });
  let text = "";
  child.stdout.setEncoding("utf8").on("data", (chunk: string) => (text += chunk));
  const closed = once(child, "close");
  await Promise.race([once(child.stdout, "data"), closed]);
  if (text !== "ready\n") throw new Error(`nothing receives on ${socket}`);
  return {
    received: async () => {
      child.kill("SIGTERM");
      await closed;
      const [, ...lines] = text.trim().split("\n");
      return lines.map((line) => Buffer.from(line, "hex"));
    },
  };
}
