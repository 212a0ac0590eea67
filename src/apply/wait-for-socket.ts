import { acceptsOnSocket } from "../io/socket.ts";
import { exitCounter } from "./exits.ts";
import type { Hooks } from "./hooks.ts";
import { pathOn, type Machine } from "./machine.ts";
import type { Patience } from "./patience.ts";
import { poll } from "./poll.ts";
import { isDown, isWaiting, readUnitState } from "./unit-state.ts";
import { noteWaiting, showState, unitNotUp } from "./units.ts";

/** Units that others talk to, with the socket that must answer before the next unit of the plan is started. */
export const SOCKET_OF_UNIT: Readonly<Record<string, string>> = {
  "containerd.service": "/run/containerd/containerd.sock",
  "docker.service": "/run/docker.sock",
};

export type Awaited = {
  readonly machine: Machine;
  readonly unit: string;
  readonly socket: string;
  /** Whether the one that answers may be the one that is about to end: then systemd must say that the new one is up. */
  readonly isRestarted: boolean;
};

const CONNECT_TIMEOUT_MS = 2000;

/**
 * Waits until a unit is up and accepts connections. A unit that waits for others is left to systemd, which keeps the order
 * of what is started after it.
 *
 * @throws AgentError "unit-not-up" when it is down, exits twice, or does not answer in time
 */
export async function waitForSocket({ machine, unit, socket, isRestarted }: Awaited, patience: Patience, hooks: Pick<Hooks, "note" | "signal">): Promise<void> {
  const countExits = exitCounter();
  const path = pathOn(machine, socket);
  const isDone = await poll(async (sinceMs) => {
    if (!isRestarted && (await acceptsOnSocket(path, CONNECT_TIMEOUT_MS))) return true;
    const state = await readUnitState(unit, hooks.signal);
    if (countExits(state).count > 1 || isDown(state)) throw await unitNotUp(unit, `is not up: ${showState(state)}`);
    if (isWaiting(state)) return sinceMs < patience.waitingJobMs ? undefined : leaveToSystemd(unit, hooks);
    const isUp = !state.hasJob && state.activeState === "active";
    return isUp && (await acceptsOnSocket(path, CONNECT_TIMEOUT_MS)) ? true : undefined;
  }, { timeoutMs: patience.socketMs, firstPauseMs: patience.firstPauseMs, ...(hooks.signal && { signal: hooks.signal }) });
  if (isDone === undefined) throw await unitNotUp(unit, `does not answer on ${socket} after ${patience.socketMs / 1000} s`);
}

async function leaveToSystemd(unit: string, { note, signal }: Pick<Hooks, "note" | "signal">): Promise<true> {
  await noteWaiting(unit, note, signal);
  return true;
}
