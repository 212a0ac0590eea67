import { isUtf8 } from "node:buffer";
import { AgentError } from "../errors.ts";
import { createImds, fetchImdsToken, type ImdsContext } from "../gather/imds.ts";
import type { ImdsSettings } from "../gather/settings.ts";
import { SYSTEM_CLOCK } from "../io/retry.ts";
import { tellGatherEvent } from "./gather-events.ts";
import type { ImdsFlags } from "./imds-flags.ts";
import type { World } from "./world.ts";

type ImdsWorld = Pick<World, "log" | "print" | "signal">;

/**
 * Prints the value at a path of IMDS, or a token of it, as AL2's program imds does.
 *
 * @returns the exit status
 * @throws AgentError when there is none
 */
export async function printImds({ path, settings }: ImdsFlags, world: ImdsWorld): Promise<number> {
  const context = imdsContext(settings, world);
  world.log.debug(`asking IMDS at ${settings.endpoint}`);
  world.print(path === "token" ? `${await fetchImdsToken(context, world.signal)}\n` : asPrinted(await valueAt(path, context, world.signal)));
  return 0;
}

/** The number of tries ends it, not the time. */
const DEADLINE_MS = 24 * 3600_000;

function imdsContext(settings: ImdsSettings, { log }: ImdsWorld): ImdsContext {
  return {
    imds: settings,
    deadlineAt: SYSTEM_CLOCK.now() + DEADLINE_MS,
    clock: SYSTEM_CLOCK,
    onEvent: (event) => tellGatherEvent(event, log, (_, message) => log.warn(message)),
  };
}

async function valueAt(path: string, context: ImdsContext, signal: AbortSignal): Promise<Buffer> {
  const imds = createImds(context);
  try {
    const value = await imds.getBytes(requestPath(path), { signal });
    if (value !== undefined) return value;
  } finally {
    await imds.close();
  }
  throw new AgentError("source-unreadable", `IMDS at ${context.imds.endpoint} has nothing at "${path}" (404)`, {
    remedy: "See what there is: imds meta-data/ lists it, and so does each path that ends in a slash.",
  });
}

const CATEGORIES = ["meta-data", "dynamic", "user-data", "api"];

/** The program wants the version before the path, as in latest/meta-data; it may be left out here. */
function requestPath(path: string): string {
  const relative = path.replace(/^\/+/, "");
  return CATEGORIES.includes(relative.split("/")[0] ?? "") ? relative : `/${relative}`;
}

/** Text ends in one line break; user data may be no text. */
function asPrinted(value: Buffer): string | Uint8Array {
  return isUtf8(value) ? `${value.toString("utf8").replace(/\n+$/, "")}\n` : value;
}
