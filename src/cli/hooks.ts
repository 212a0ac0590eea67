import type { Hooks } from "../apply/hooks.ts";
import type { Change } from "../plan/plan.ts";
import type { EventKind } from "./events.ts";
import { timed } from "./timed.ts";
import type { World } from "./world.ts";

/** Tells the log and the record of notes and steps while the machine is changed. */
export function hooksOf({ log, record, signal }: World): Hooks {
  return {
    signal,
    note: (code, message) => {
      log.event("note", message, { note: code });
      record({ kind: "note", code, message });
    },
    onStep: async (change, take) => {
      const { durationMs } = await timed(take, (span) => record({ kind: "step", change, ...span }));
      const [event, message] = DONE[change.kind];
      log.event(event, message, { ...subjectOf(change), duration_ms: Math.round(durationMs) });
    },
  };
}

const DONE: Readonly<Record<Change["kind"], readonly [event: EventKind, message: string]>> = {
  "write-file": ["file-written", "file written"],
  "remove-file": ["file-removed", "file removed"],
  "write-block": ["file-written", "block written"],
  "remove-block": ["file-written", "block removed"],
  "create-array": ["disks-changed", "array made"],
  "assemble-array": ["disks-changed", "array assembled"],
  "make-file-system": ["disks-changed", "file system made"],
  mount: ["disks-changed", "mounted"],
  "stop-unit": ["unit-stopped", "unit stopped"],
  "copy-directory": ["disks-changed", "directory copied"],
  "reload-systemd": ["systemd-reloaded", "systemd reloaded its units"],
  "enable-unit": ["unit-enabled", "unit enabled"],
  "start-unit": ["unit-started", "start of unit queued"],
  "restart-unit": ["unit-restarted", "restart of unit queued"],
};

function subjectOf(change: Change): Readonly<Record<string, string>> {
  switch (change.kind) {
    case "write-file":
      return { path: change.file.path };
    case "write-block":
      return { path: change.block.path };
    case "remove-file":
    case "remove-block":
      return { path: change.path };
    case "create-array":
    case "assemble-array":
      return { devices: change.devices.join(" ") };
    case "make-file-system":
      return { devices: change.device };
    case "mount":
      return { path: change.mountPoint };
    case "copy-directory":
      return { path: change.from };
    case "reload-systemd":
      return {};
    case "enable-unit":
    case "stop-unit":
    case "start-unit":
    case "restart-unit":
      return { unit: change.unit };
  }
}
