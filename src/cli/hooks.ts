import type { Hooks } from "../apply/hooks.ts";
import type { Change } from "../plan/plan.ts";
import type { World } from "./world.ts";

/** Tells the log of notes and steps while the machine is changed. */
export function hooksOf({ log, signal }: World): Hooks {
  return {
    signal,
    note: (code, message) => log.warn(message, { note: code }),
    onStep: async (change, take) => {
      const start = performance.now();
      await take();
      log.info(DONE[change.kind], { ...subjectOf(change), duration_ms: Math.round(performance.now() - start) });
    },
  };
}

const DONE: Readonly<Record<Change["kind"], string>> = {
  "write-file": "file written",
  "remove-file": "file removed",
  "reload-systemd": "systemd reloaded its units",
  "enable-unit": "unit enabled",
  "start-unit": "start of unit queued",
  "restart-unit": "restart of unit queued",
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
