import type { LogLevel } from "./log.ts";

type Event = {
  /** What programs find its entries by in the journal. Published in docs/journal.md: it never changes. */
  readonly id: string;
  /** The level on a terminal, which shows the course of a run by other means. */
  readonly level: LogLevel;
  /** The level in the journal, if another. */
  readonly journalLevel?: LogLevel;
};

/** What the log tells under a name of its own. */
export const EVENTS = {
  "run-started": { id: "7561c145630b50c031571400dd43a057", level: "debug", journalLevel: "info" },
  "run-finished": { id: "5e520d4cc9ca8fce73a0ca6765af5c62", level: "debug", journalLevel: "info" },
  "run-failed": { id: "a2ebb690de438a6b4d20340f871c1279", level: "error" },
  "run-stopped": { id: "0885ab3356d239e02d672e663a6ffdca", level: "debug", journalLevel: "warn" },
  "phase-finished": { id: "7ee2df07b8dfc83e7a61de07974a8858", level: "debug", journalLevel: "info" },
  "phase-failed": { id: "e998b5407d8291de969c5479fdca7bdc", level: "debug", journalLevel: "info" },
  "request-retried": { id: "8ec97bb840d3622094c81a9b7b967e01", level: "warn" },
  note: { id: "2f1095069663713169d92ac6a3f7abac", level: "warn" },
  "file-written": { id: "e10d018635ef48f2daa8a6b631d8e6dd", level: "info" },
  "file-removed": { id: "2338f342a82e309da0e3aa0b7ee3a402", level: "info" },
  "disks-changed": { id: "59dcb38b49184434a58931c531d8eb9e", level: "info" },
  "systemd-reloaded": { id: "37ef67c09c552ecf905d0656835d8f0a", level: "info" },
  "unit-enabled": { id: "2d960810c039844338f4bb424c771198", level: "info" },
  "unit-started": { id: "591328e8352fd8ab862bbf284e36dc85", level: "info" },
  "unit-stopped": { id: "bf22ded9f0e9419d863368077bdbedd8", level: "info" },
  "unit-restarted": { id: "72e22caba3cbd5e3d1a6a88a22ae17f6", level: "info" },
} as const satisfies Readonly<Record<string, Event>>;

export type EventKind = keyof typeof EVENTS;

/** An event's level where the log goes. */
export function levelOf(kind: EventKind, isJournal: boolean): LogLevel {
  const event: Event = EVENTS[kind];
  return (isJournal ? event.journalLevel : undefined) ?? event.level;
}
