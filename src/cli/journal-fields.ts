import type { JournalFields } from "../io/journal.ts";
import { EVENTS } from "./events.ts";
import { type LogEntry, type LogFields, PRIORITIES } from "./log.ts";

/** An entry as the journal keeps it. `message` is what a person reads, who may not look at the fields. */
export function journalFields({ level, event, fields }: Pick<LogEntry, "level" | "event" | "fields">, message: string): JournalFields {
  return {
    MESSAGE: message,
    PRIORITY: String(PRIORITIES[level]),
    SYSLOG_IDENTIFIER: "eks-node-agent",
    ...(event && { MESSAGE_ID: EVENTS[event].id }),
    ...Object.fromEntries(Object.entries(fields).flatMap(journalField)),
  };
}

/** Fields with a name that other programs use too, for the same thing. */
const WELL_KNOWN: Readonly<Record<string, string>> = { duration_ms: "DURATION_MS", errno: "ERRNO" };

function journalField([name, value]: readonly [string, LogFields[string]]): readonly (readonly [string, string])[] {
  return value === undefined ? [] : [[WELL_KNOWN[name] ?? `EKS_${name.toUpperCase()}`, String(value)]];
}
