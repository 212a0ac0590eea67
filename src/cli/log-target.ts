import { fstatSync } from "node:fs";
import type { Journal } from "../io/journal.ts";
import { journalFields } from "./journal-fields.ts";
import { type LogFields, type LogOptions, showEntry, withPriority } from "./log.ts";

/** Where the log and the last words of a run go: stderr, or the journal where that is what stderr leads to. */
export type LogTarget = Pick<LogOptions, "format" | "write"> & {
  /** Tells why the run failed; what is shown on a terminal, and fields for the journal. */
  readonly fail: (shown: string, fields: LogFields) => void;
};

/**
 * @param write to standard error
 * @param journalStream $JOURNAL_STREAM
 * @param fd of standard error
 */
export async function logTarget(write: (text: string) => void, journalStream: string | undefined, fd = 2): Promise<LogTarget> {
  if (!isJournal(fd, journalStream)) return { format: "text", write, fail: write };
  const { openJournal } = await import("../io/journal.ts");
  return journalTarget(openJournal(), write);
}

/** systemd names the device and inode of the journal's end of stderr, which a redirected stderr has not. */
function isJournal(fd: number, journalStream: string | undefined): boolean {
  if (journalStream === undefined) return false;
  const { dev, ino } = fstatSync(fd);
  return journalStream === `${dev}:${ino}`;
}

/** Entries with fields, and as lines with a priority where the journal does not take those. */
function journalTarget(journal: Journal | undefined, write: (text: string) => void): LogTarget {
  const send: Journal = journal ?? (() => false);
  return {
    format: "journal-prefix",
    write: (text, entry) => {
      if (!send(journalFields(entry, showEntry(entry)))) write(text);
    },
    fail: (shown, fields) => {
      if (!send(journalFields({ level: "error", event: "run-failed", fields }, shown.trimEnd()))) write(withPriority("error", shown));
    },
  };
}
