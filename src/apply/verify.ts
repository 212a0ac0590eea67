import { directHttp, type Http } from "../io/http.ts";
import { NoAnswer } from "../io/no-answer.ts";
import { exitCounter, type Exits } from "./exits.ts";
import type { Hooks } from "./hooks.ts";
import { PATIENCE, type Patience } from "./patience.ts";
import { poll } from "./poll.ts";
import { isDown, isWaiting, readUnitState, type UnitState } from "./unit-state.ts";
import { noteWaiting, showState, unitNotUp } from "./units.ts";

export type Verification = {
  readonly unit: string;
  readonly wait: "none" | "active" | "healthy";
  readonly timeoutMs: number;
  /** Where kubelet answers, after flags and config; port 0 is no health check. */
  readonly healthz: { readonly address: string; readonly port: number };
  /** kubelet gets its certificate by a signing request that somebody must approve first. */
  readonly awaitsCertificate: boolean;
};

const HEALTHZ_TIMEOUT_MS = 2000;

/** Addresses that mean "all of this host" when they are listened on, and cannot be connected to. */
const REACHED_AT: Readonly<Record<string, string>> = { "0.0.0.0": "127.0.0.1", "::": "::1" };

/**
 * Waits until kubelet is up: active, or active and healthy. The first exit is a note, since containerd may have been late.
 * A unit that waits for others is left to systemd, with a note. Healthy is not joined: that is for the API server to say.
 *
 * @throws AgentError "unit-not-up" at the second exit, when nothing will start it again, and when the time is over
 */
export async function verify(verification: Verification, hooks: Pick<Hooks, "note" | "signal">, patience: Patience = PATIENCE): Promise<void> {
  if (verification.wait === "none") return;
  const http = directHttp();
  try {
    await waitUntilUp(http, verification, hooks, patience);
  } finally {
    await http.close();
  }
}

async function waitUntilUp(http: Http, verification: Verification, hooks: Pick<Hooks, "note" | "signal">, patience: Patience): Promise<void> {
  const { unit, timeoutMs } = verification;
  const followExits = exitFollower(unit, hooks);
  const isUp = upCheck(http, verification, patience, hooks.signal);
  let last: Look = { isUp: false, what: "is queued" };
  const end = await poll<"up" | "left to systemd">(async (sinceMs) => {
    const state = await readUnitState(unit, hooks.signal);
    const exits = await followExits(state);
    if (isWaiting(state)) return sinceMs < patience.waitingJobMs ? undefined : leaveToSystemd(unit, hooks);
    last = await isUp(state, exits, sinceMs);
    return last.isUp ? "up" : undefined;
  }, { timeoutMs, firstPauseMs: patience.firstPauseMs, ...(hooks.signal && { signal: hooks.signal }) });
  if (end === undefined) throw await tooLate(verification, last);
  if (end === "up" && verification.wait === "healthy" && verification.healthz.port === 0) hooks.note("healthz-off", `${unit} has no health check (healthzPort 0): that it is up is known only from its not having exited.`);
}

/** Whether the unit is up now, and if not, what it is instead. */
type Look = { readonly isUp: boolean; readonly what: string };
type UpCheck = (state: UnitState, exits: Exits, sinceMs: number) => Promise<Look>;

function upCheck(http: Http, { wait, healthz }: Verification, patience: Patience, signal: AbortSignal | undefined): UpCheck {
  const isHealthy = healthz.port === 0 ? quietCheck(patience.quietMs) : healthzCheck(http, healthz.address, healthz.port, signal);
  return async (state, exits, sinceMs) => {
    if (state.hasJob || state.activeState !== "active") return { isUp: false, what: `is ${showState(state)}` };
    return wait === "active" ? { isUp: true, what: "is active" } : isHealthy(state, exits, sinceMs);
  };
}

/** Up when it has been active for some time since it last exited. */
function quietCheck(quietMs: number): UpCheck {
  let quietSince: { readonly count: number; readonly sinceMs: number } | undefined;
  return (_state, { count }, sinceMs) => {
    if (quietSince?.count !== count) quietSince = { count, sinceMs };
    return Promise.resolve({ isUp: sinceMs - quietSince.sinceMs >= quietMs, what: `has not been active for ${quietMs / 1000} s without an exit` });
  };
}

function healthzCheck(http: Http, address: string, port: number, signal: AbortSignal | undefined): UpCheck {
  const host = REACHED_AT[address] ?? address;
  const url = `http://${host.includes(":") ? `[${host}]` : host}:${port}/healthz`;
  return async () => {
    const answer = await askHealthz(http, url, signal);
    return { isUp: answer === 200, what: `is active but not healthy (${url}: ${answer})` };
  };
}

async function askHealthz(http: Http, url: string, signal: AbortSignal | undefined): Promise<number | string> {
  try {
    return (await http.request({ method: "GET", url, timeoutMs: HEALTHZ_TIMEOUT_MS, signal })).status;
  } catch (error) {
    if (error instanceof NoAnswer) return error.message;
    throw error;
  }
}

/** Notes the first exit, and throws at the second and at one that systemd makes nothing of. */
function exitFollower(unit: string, { note }: Pick<Hooks, "note">): (state: UnitState) => Promise<Exits> {
  const countExits = exitCounter();
  let noted = false;
  return async (state) => {
    const exits = countExits(state);
    if (exits.count > 1) throw await unitNotUp(unit, `exited twice${exits.ending === undefined ? "" : `, the last time with ${exits.ending}`}`);
    if (isDown(state)) throw await unitNotUp(unit, `is not running: ${showState(state)}`);
    if (exits.count === 1 && !noted) note("unit-exited", `${unit} exited once${exits.ending === undefined ? "" : `, with ${exits.ending}`}; systemd starts it again.`);
    noted ||= exits.count === 1;
    return exits;
  };
}

async function leaveToSystemd(unit: string, { note, signal }: Pick<Hooks, "note" | "signal">): Promise<"left to systemd"> {
  await noteWaiting(unit, note, signal);
  return "left to systemd";
}

async function tooLate({ unit, timeoutMs, awaitsCertificate }: Verification, last: Look) {
  const awaited = awaitsCertificate ? " It may be waiting for its certificate signing request to be approved: kubectl get csr." : "";
  return unitNotUp(unit, `${last.what} after ${timeoutMs / 1000} s`, `See why: journalctl -u ${unit}.${awaited}`);
}
