import type { Hooks } from "../apply/hooks.ts";
import type { Change } from "../plan/plan.ts";
import type { EventKind } from "./events.ts";
import type { World } from "./world.ts";

/** Tells the log of notes and steps while the machine is changed. */
export function hooksOf({ log, signal }: World): Hooks {
  return {
    signal,
    note: (code, message) => log.event("note", message, { note: code }),
    onStep: async (change, take) => {
      const start = performance.now();
      await take();
      const [event, message] = DONE[change.kind];
      log.event(event, message, { ...subjectOf(change), duration_ms: Math.round(performance.now() - start) });
    },
  };
}

const DONE: Readonly<Record<Change["kind"], readonly [event: EventKind, message: string]>> = {
  "write-file": ["file-written", "file written"],
  "remove-file": ["file-removed", "file removed"],
  "reload-systemd": ["systemd-reloaded", "systemd reloaded its units"],
  "enable-unit": ["unit-enabled", "unit enabled"],
  "start-unit": ["unit-started", "start of unit queued"],
  "restart-unit": ["unit-restarted", "restart of unit queued"],
};

function subjectOf(change: Change): Readonly<Record<string, string>> {
  switch (change.kind) {
    case "write-file":
      return { path: change.file.path };
    case "remove-file":
      return { path: change.path };
    case "reload-systemd":
      return {};
    case "enable-unit":
    case "start-unit":
    case "restart-unit":
      return { unit: change.unit };
  }
}
