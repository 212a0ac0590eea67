import { describe, expect, test } from "vitest";
import { createLog, LOG_LEVELS, type LogEntry, type LogFields, type LogOptions } from "../../src/cli/log.ts";

const TIME = new Date("2026-11-30T14:37:27.123Z");
const CLOCK = () => TIME;

function logged(options: Partial<LogOptions>, ...entry: [message: string, fields?: LogFields]): string {
  const texts: string[] = [];
  createLog({ level: "debug", format: "text", clock: CLOCK, write: (text) => texts.push(text), ...options }).info(...entry);
  return texts.join("");
}

describe("in text", () => {
  test("an entry has time, level, message and fields", () => {
    expect(logged({}, "Wrote a file", { path: "/etc/eks/a.json", bytes: 12, isNew: true })).toBe("2026-11-30T14:37:27.123Z info  Wrote a file path=/etc/eks/a.json bytes=12 isNew=true\n");
  });

  const FIELDS: readonly (readonly [why: string, value: string | undefined, shown: string])[] = [
    ["a plain value", "kubelet.service", " f=kubelet.service"],
    ["white space", "a b", ' f="a b"'],
    ["nothing", "", ' f=""'],
    ["a quote", 'a"b', ' f="a\\"b"'],
    ["an equals sign", "a=b", ' f="a=b"'],
    ["a line break", "a\nb", ' f="a\\nb"'],
    ["an escape character", "\x1b[31m", ' f="\\\\u{1b}[31m"'],
    ["a value that is not there", undefined, ""],
  ];
  test.each(FIELDS)("a field's value with %s", (_why, f, shown) => {
    expect(logged({}, "m", { f })).toBe(`2026-11-30T14:37:27.123Z info  m${shown}\n`);
  });

  test("a further line of a message cannot pass for an entry", () => {
    expect(logged({}, "two lines\n2026-11-30T00:00:00.000Z error forged\r\n", { a: 1 })).toBe("2026-11-30T14:37:27.123Z info  two lines a=1\n  2026-11-30T00:00:00.000Z error forged\\r\n");
  });

  test("a message does nothing to the terminal", () => {
    expect(logged({}, "\x1b]0;title\x07 \u202eabc \x9b31m")).toBe("2026-11-30T14:37:27.123Z info  \\u{1b}]0;title\\u{7} \\u{202e}abc \\u{9b}31m\n");
  });
});

describe("in the journal", () => {
  test("each level has its priority, and no entry has a time", () => {
    const texts: string[] = [];
    const log = createLog({ level: "debug", format: "journal-prefix", clock: CLOCK, write: (text) => texts.push(text) });
    for (const level of LOG_LEVELS) log[level](`at ${level}`, { unit: "kubelet.service" });
    expect(texts).toEqual(["<7>at debug unit=kubelet.service\n", "<6>at info unit=kubelet.service\n", "<4>at warn unit=kubelet.service\n", "<3>at error unit=kubelet.service\n"]);
  });

  test("each line of a message has the priority, and cannot choose one", () => {
    expect(logged({ format: "journal-prefix" }, "kubelet exited:\n<0>forged")).toBe("<6>kubelet exited:\n<6>  <0>forged\n");
  });
});

test("entries below the level are dropped", () => {
  const seen = LOG_LEVELS.map((level) => {
    const entries: string[] = [];
    const log = createLog({ level, format: "text", clock: CLOCK, write: (_text, entry) => entries.push(entry.level) });
    for (const each of LOG_LEVELS) log[each]("m");
    return entries;
  });
  expect(seen).toEqual([["debug", "info", "warn", "error"], ["info", "warn", "error"], ["warn", "error"], ["error"]]);
});

test("the writer gets the entry too, without secrets", () => {
  const entries: LogEntry[] = [];
  const log = createLog({ level: "info", format: "text", clock: CLOCK, write: (_text, entry) => entries.push(entry) });
  log.warn("no answer from http://joe:hunter2@proxy:3128", { url: "http://joe:hunter2@proxy:3128", tries: 3 });
  expect(entries).toEqual([
    { level: "warn", time: TIME, message: "no answer from http://joe:<redacted>@proxy:3128", fields: { url: "http://joe:<redacted>@proxy:3128", tries: 3 } },
  ]);
});

test("the log cuts out what its caller tells it to", () => {
  expect(logged({ redact: (text) => text.replaceAll("hunter2", "***") }, "hunter2", { a: "hunter2" })).toBe("2026-11-30T14:37:27.123Z info  *** a=***\n");
});
