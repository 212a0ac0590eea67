import { AgentError } from "../errors.ts";
import { type ServiceManager, serviceManager } from "../io/notify.ts";
import { showSpan } from "../lib/show-span.ts";
import { VERSION } from "../version.ts";
import { errnoNumberOf } from "./errno-number.ts";
import type { EventKind } from "./events.ts";
import type { Log } from "./log.ts";
import { PHASES, type Phase, type PhaseName } from "./phases.ts";
import { printable } from "./printable.ts";
import { redact } from "./redact.ts";
import type { World } from "./world.ts";

/**
 * Runs something that systemd may have started as a service: it is told of each phase, of the end if that is good, and in
 * one line of an error. So is the journal, whoever started the run.
 *
 * @returns the exit status
 */
export async function asService(world: World, run: (world: World) => Promise<number>): Promise<number> {
  const { environment, log, signal } = world;
  const manager = serviceManager({ environment, pid: process.pid, parentPid: process.ppid }, (message) => log.warn(message));
  const course: Course = { manager, startMs: performance.now(), spans: [] };
  signal.addEventListener("abort", manager.stopping, { once: true });
  log.event("run-started", "run started", { version: VERSION });
  try {
    const exitStatus = await run({ ...world, log: logTelling(manager, log), phase: phaseTelling(course, world.phase) });
    tellEnd(course, exitStatus, log);
    return exitStatus;
  } catch (error) {
    tellFailure(error, world, manager);
    throw error;
  } finally {
    signal.removeEventListener("abort", manager.stopping);
    await manager.close();
  }
}

type Course = {
  readonly manager: ServiceManager;
  readonly startMs: number;
  /** What each phase took, for people, in the order in which they began. */
  readonly spans: string[];
};

/** One phase may run within another, which goes on when it has ended. */
function phaseTelling({ manager, spans }: Course, phase: Phase): Phase {
  const running: PhaseName[] = [];
  return async (name, action) => {
    const startMs = performance.now();
    const place = spans.push(name) - 1;
    running.push(name);
    manager.status(PHASES[name]);
    try {
      return await phase(name, action);
    } finally {
      spans[place] = `${name} ${showSpan(performance.now() - startMs)}`;
      const wasLatest = running.at(-1) === name;
      running.splice(running.lastIndexOf(name), 1);
      const outer = running.at(-1);
      if (wasLatest && outer !== undefined) manager.status(PHASES[outer]);
    }
  };
}

/** Why a phase takes its time. */
const IN_STATUS: readonly EventKind[] = ["request-retried", "note"];

function logTelling(manager: ServiceManager, log: Log): Log {
  return {
    ...log,
    event: (kind, message, fields) => {
      if (IN_STATUS.includes(kind)) manager.status(clean(message));
      log.event(kind, message, fields);
    },
  };
}

function tellEnd({ manager, startMs, spans }: Course, exitStatus: number, log: Log): void {
  const durationMs = performance.now() - startMs;
  const took = `${showSpan(durationMs)}${spans.length === 0 ? "" : ` (${spans.join(", ")})`}`;
  log.event("run-finished", `run finished in ${took}`, { exit_status: exitStatus, duration_ms: Math.round(durationMs) });
  manager.status(`finished in ${took}`);
  if (exitStatus === 0) manager.ready();
}

function tellFailure(error: unknown, { signal, log }: World, manager: ServiceManager): void {
  const sentence = clean(error instanceof Error ? error.message : String(error));
  if (signal.aborted && error === signal.reason) {
    log.event("run-stopped", `run stopped: ${sentence}`);
    manager.status(sentence);
  } else {
    manager.failed(error instanceof AgentError ? sentence : `bug: ${sentence}`, errnoNumberOf(error));
  }
}

function clean(text: string): string {
  return printable(redact(text));
}
