import type { GatherEvent } from "../gather/events.ts";
import type { Log } from "./log.ts";

/** Logs what happened while the world was asked; a fallback is a note. */
export function tellGatherEvent(event: GatherEvent, log: Log, addNote: (code: string, message: string) => void): void {
  switch (event.kind) {
    case "request":
      log.debug("request", { service: event.service, target: event.target, attempt: event.attempt, status: event.status, failure: event.failure, duration_ms: Math.round(event.durationMs) });
      return;
    case "retry":
      log.event("request-retried", `no usable answer yet, asking again: ${event.reason}`, { service: event.service, target: event.target, failures: event.failures, delay_ms: Math.round(event.delayMs) });
      return;
    case "command":
      log.debug("command", { argv: event.argv.join(" "), failure: event.failure, duration_ms: Math.round(event.durationMs) });
      return;
    case "note":
      addNote(event.code, event.message);
  }
}
