import { type EventKind, levelOf } from "./events.ts";
import { printable } from "./printable.ts";
import { redact as redactPatterns } from "./redact.ts";

/** From the most talkative to the quietest. */
export const LOG_LEVELS = ["debug", "info", "warn", "error"] as const;
export type LogLevel = (typeof LOG_LEVELS)[number];

/** What the message is about, by name; undefined is left out. */
export type LogFields = Readonly<Record<string, string | number | boolean | undefined>>;

export type LogEntry = {
  readonly level: LogLevel;
  readonly time: Date;
  /** Without secrets, as are the fields. */
  readonly message: string;
  readonly fields: LogFields;
  /** What happened, if that has a name. */
  readonly event?: EventKind;
};

export type Log = Readonly<Record<LogLevel, (message: string, fields?: LogFields) => void>> & {
  /** Something that has a name, at the level that it has where the log goes. */
  readonly event: (kind: EventKind, message: string, fields?: LogFields) => void;
};

export type LogOptions = {
  /** Entries below it are dropped. */
  readonly level: LogLevel;
  /** Gets each entry as text that ends in a line break, and as it is, for a journal that takes fields. */
  readonly write: (text: string, entry: LogEntry) => void;
  /** "journal-prefix" where the service manager reads the text: a priority to each line, and no time, which the journal has. */
  readonly format: "text" | "journal-prefix";
  readonly clock: () => Date;
  /** Cuts secrets out of a text. */
  readonly redact?: (text: string) => string;
};

export function createLog(options: LogOptions): Log {
  const { write, clock, redact = redactPatterns } = options;
  const log = (level: LogLevel, message: string, fields: LogFields = {}, event?: EventKind): void => {
    if (LOG_LEVELS.indexOf(level) < LOG_LEVELS.indexOf(options.level)) return;
    const entry = { level, time: clock(), message: redact(message), fields: redactFields(fields, redact), ...(event && { event }) };
    write(FORMATS[options.format](entry), entry);
  };
  return {
    debug: (message, fields) => log("debug", message, fields),
    info: (message, fields) => log("info", message, fields),
    warn: (message, fields) => log("warn", message, fields),
    error: (message, fields) => log("error", message, fields),
    event: (kind, message, fields) => log(levelOf(kind, options.format === "journal-prefix"), message, fields, kind),
  };
}

function redactFields(fields: LogFields, redact: (text: string) => string): LogFields {
  return Object.fromEntries(Object.entries(fields).map(([name, value]) => [name, typeof value === "string" ? redact(value) : value]));
}

/** An entry's message and fields, as a person reads them. */
export function showEntry(entry: LogEntry): string {
  return linesOf(entry).join("\n");
}

/** A text each of whose lines has the level's priority, for a service manager that reads lines. */
export function withPriority(level: LogLevel, text: string): string {
  return text.trimEnd().split("\n").map((line) => `<${PRIORITIES[level]}>${line}\n`).join("");
}

/** Numbers of syslog(3), which sd-daemon(3) reads between < and > at the start of a line. */
export const PRIORITIES: Readonly<Record<LogLevel, number>> = { debug: 7, info: 6, warn: 4, error: 3 };

const FORMATS: Readonly<Record<LogOptions["format"], (entry: LogEntry) => string>> = {
  text: (entry) => `${entry.time.toISOString()} ${entry.level.padEnd(LONGEST_LEVEL)} ${showEntry(entry)}\n`,
  "journal-prefix": (entry) => withPriority(entry.level, showEntry(entry)),
};

const LONGEST_LEVEL = Math.max(...LOG_LEVELS.map((level) => level.length));

/** The fields follow the first line. Further lines are indented, so that none can pass for an entry of its own. */
function linesOf({ message, fields }: LogEntry): readonly string[] {
  const [first = "", ...further] = printable(message).trimEnd().split("\n");
  return [[first, ...Object.entries(fields).flatMap(showField)].join(" "), ...further.map((text) => `  ${text}`)];
}

function showField([name, value]: readonly [string, LogFields[string]]): readonly string[] {
  if (value === undefined) return [];
  const text = printable(String(value));
  return [`${name}=${PLAIN_VALUE.test(text) ? text : JSON.stringify(text)}`];
}

const PLAIN_VALUE = /^[^\s"'=\\]+$/;
