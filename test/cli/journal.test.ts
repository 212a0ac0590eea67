import { readFileSync } from "node:fs";
import { describe, expect, test } from "vitest";
import { errnoNumberOf } from "../../src/cli/errno-number.ts";
import { EVENTS, type EventKind, levelOf } from "../../src/cli/events.ts";
import { journalFields } from "../../src/cli/journal-fields.ts";
import { createLog, type LogEntry } from "../../src/cli/log.ts";
import { AgentError } from "../../src/errors.ts";

const KINDS = Object.keys(EVENTS) as EventKind[];
const PRIORITY_NAMES = { debug: "debug", info: "info", warn: "warning", error: "error" } as const;

describe("docs/journal.md", () => {
  const rows = [...readFileSync("docs/journal.md", "utf8").matchAll(/^\| ([\w-]+) \| `(\w{32})` \| (\w+) \|/gm)];

  test("names every event with its MESSAGE_ID and its priority in the journal", () => {
    expect(rows.map(([, kind, id, priority]) => [kind, id, priority])).toEqual(KINDS.map((kind) => [kind, EVENTS[kind].id, PRIORITY_NAMES[levelOf(kind, true)]]));
  });
});

test("no two events share a MESSAGE_ID, and each is one that journalctl takes", () => {
  const ids = KINDS.map((kind) => EVENTS[kind].id);
  expect(new Set(ids).size).toBe(KINDS.length);
  expect(ids.filter((id) => !/^[0-9a-f]{32}$/.test(id))).toEqual([]);
});

describe("an entry of the journal", () => {
  const ENTRIES: readonly (readonly [why: string, entry: Pick<LogEntry, "level" | "event" | "fields">, fields: Readonly<Record<string, string>>])[] = [
    ["says what it is and who wrote it", { level: "info", fields: {} }, { PRIORITY: "6" }],
    ["has the event's MESSAGE_ID", { level: "warn", event: "note", fields: { note: "drift" } }, { PRIORITY: "4", MESSAGE_ID: EVENTS.note.id, EKS_NOTE: "drift" }],
    ["has its fields, some by names that others use too", { level: "error", fields: { path: "/etc/a b", unit: "kubelet.service", phase: "apply", exit_status: 73, duration_ms: 12, errno: 28 } }, { PRIORITY: "3", EKS_PATH: "/etc/a b", EKS_UNIT: "kubelet.service", EKS_PHASE: "apply", EKS_EXIT_STATUS: "73", DURATION_MS: "12", ERRNO: "28" }],
    ["has no field for what is not there", { level: "debug", fields: { errno: undefined } }, { PRIORITY: "7" }],
  ];
  test.each(ENTRIES)("%s", (_why, entry, fields) => {
    expect(journalFields(entry, "it is so")).toEqual({ MESSAGE: "it is so", SYSLOG_IDENTIFIER: "eks-node-agent", ...fields });
  });
});

describe("an event", () => {
  test.each([
    ["text", []],
    ["journal-prefix", ["<6>run started version=1.2.3\n"]],
  ] as const)("of the run's course in %s, at the usual level", (format, shown) => {
    const texts: string[] = [];
    const log = createLog({ level: "info", format, clock: () => new Date(0), write: (text) => texts.push(text) });
    log.event("run-started", "run started", { version: "1.2.3" });
    expect(texts).toEqual(shown);
  });

  test("is named in the entry", () => {
    const entries: LogEntry[] = [];
    const log = createLog({ level: "info", format: "text", clock: () => new Date(0), write: (_text, entry) => entries.push(entry) });
    log.event("note", "kubelet.service exited once", { note: "unit-exited" });
    expect(entries).toEqual([{ level: "warn", time: new Date(0), message: "kubelet.service exited once", fields: { note: "unit-exited" }, event: "note" }]);
  });
});

describe("the number of a system call's error", () => {
  const noSpace = Object.assign(new Error("ENOSPC"), { errno: -28, code: "ENOSPC" });
  const circle: Error = new Error("round and round");
  circle.cause = circle;

  test.each([
    ["its own", noSpace, 28],
    ["its cause's", new AgentError("write-failed", "Cannot write", { remedy: "Free space.", cause: new Error("rename", { cause: noSpace }) }), 28],
    ["no number where there is none", new Error("a bug"), undefined],
    ["no number of what is no error", { errno: -28 }, undefined],
    ["no number of a circle of causes", circle, undefined],
    ["no name in place of a number", Object.assign(new Error("other"), { errno: "ENOSPC" }), undefined],
  ])("%s", (_why, error, number) => {
    expect(errnoNumberOf(error)).toBe(number);
  });
});
