import { createLog, type LogLevel } from "../../src/cli/log.ts";
import type { World } from "../../src/cli/world.ts";

/** What a command that configures no node has of the process it runs in, and what it did with it. */
export type CommandWorld = {
  readonly world: Pick<World, "environment" | "log" | "print" | "signal">;
  readonly printed: () => Buffer;
  /** Level and message of each entry. */
  readonly logged: () => readonly string[];
};

export function commandWorld(environment: Readonly<Record<string, string>> = {}, level: LogLevel = "info"): CommandWorld {
  const printed: Buffer[] = [];
  const logged: string[] = [];
  const log = createLog({ level, format: "text", clock: () => new Date(0), write: (_, entry) => logged.push(`${entry.level} ${entry.message}`) });
  const world = { environment, log, print: (text: string | Uint8Array) => void printed.push(Buffer.from(text)), signal: new AbortController().signal };
  return { world, printed: () => Buffer.concat(printed), logged: () => logged };
}
