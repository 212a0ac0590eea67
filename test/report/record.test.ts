import { describe, expect, test } from "vitest";
import type { Change } from "../../src/plan/plan.ts";
import type { LastRun } from "../../src/report/last-run.ts";
import { parseLastRun } from "../../src/report/parse-last-run.ts";
import { createRecorder, type RunEvent } from "../../src/report/record.ts";
import { DISK_STEPS } from "../cli/disk-steps.ts";

const START = Date.parse("2026-01-31T12:00:00Z");

type Timed = readonly [atMs: number, event: RunEvent];

/** The record of events, each told at its time after the start, of a run that ends at `endMs`. */
function recordOf(events: readonly Timed[], endMs = 10_000): LastRun {
  let now = START;
  const recorder = createRecorder({ version: "1.2.3", startMs: START, now: () => now, commandLine: ["demo"], environment: ["IMDS_RETRIES"] });
  for (const [atMs, event] of events) {
    now = START + atMs;
    recorder.record(event);
  }
  now = START + endMs;
  return recorder.finish({ kind: "done", exitStatus: 0 });
}

const at = (startMs: number, durationMs: number): { readonly startMs: number; readonly durationMs: number } => ({ startMs: START + startMs, durationMs });

const WRITE: Change = {
  kind: "write-file",
  file: { path: "/etc/a", mode: 0o644, contents: "hunter2", comparedAs: "bytes", isUnitFile: false, isSecret: true },
  before: { kind: "absent" },
  isDrift: false,
};
const RELOAD: Change = { kind: "reload-systemd", reason: "changed: /etc/a" };
const START_UNIT: Change = { kind: "start-unit", unit: "kubelet.service", digest: "sha256:1", resetFailed: false, reason: "not running" };

describe("a record", () => {
  test("of a run in which nothing happened", () => {
    expect(recordOf([])).toEqual({
      version: "1.2.3",
      startedAt: "2026-01-31T12:00:00.000Z",
      durationMs: 10_000,
      inputs: { commandLine: ["demo"], environment: ["IMDS_RETRIES"], sources: [] },
      node: {},
      phases: [],
      requests: [],
      retries: [],
      commands: [],
      changes: [],
      notes: [],
      findings: [],
      result: { kind: "done", exitStatus: 0 },
    });
  });

  test("names what steps about local disks are about, and can be read again", () => {
    const record = recordOf([[1, { kind: "changes", changes: DISK_STEPS }]]);
    expect(record.changes.map(({ kind, subject }) => [kind, subject])).toEqual([
      ["create-array", "/dev/nvme1n1, /dev/nvme2n1"],
      ["assemble-array", "/dev/nvme1n1, /dev/nvme2n1"],
      ["make-file-system", "/dev/md/kubernetes"],
      ["mount", "/mnt/k8s-disks/0"],
      ["stop-unit", "kubelet.service"],
      ["copy-directory", "/var/lib/kubelet"],
    ]);
    expect(parseLastRun(JSON.stringify(record))).toEqual({ lastRun: record });
  });

  test("has the phases in the order in which they began, though one may end within another", () => {
    const phase = (name: string, ...span: readonly [number, number]): RunEvent => ({ kind: "phase", name, title: name, outcome: "done", ...at(...span) });
    const record = recordOf([[30, phase("observe", 20, 10)], [50, phase("facts", 10, 40)], [70, phase("apply", 50, 20)]]);
    expect(record.phases.map(({ name }) => name)).toEqual(["facts", "observe", "apply"]);
  });

  test("holds each thing that happened, timed from the start in whole milliseconds", () => {
    const record = recordOf([
      [1, { kind: "sources", sources: ["command line: demo"] }],
      [2, { kind: "phase", name: "facts", title: "asking", outcome: "failed", ...at(1.4, 2.2) }],
      [3, { kind: "request", service: "imds", target: "/latest/api/token", attempt: 1, status: 200, ...at(1.6, 2.4) }],
      [4, { kind: "request", service: "eks", target: "DescribeCluster", attempt: 2, failure: "no answer", ...at(5, 5_000) }],
      [5, { kind: "command", argv: ["/usr/bin/kubelet", "--version"], ...at(2, 30) }],
    ]);
    expect(record.inputs.sources).toEqual(["command line: demo"]);
    expect(record.phases).toEqual([{ name: "facts", title: "asking", outcome: "failed", startMs: 1, durationMs: 3 }]);
    expect(record.requests).toEqual([
      { service: "imds", target: "/latest/api/token", attempt: 1, status: 200, startMs: 2, durationMs: 2 },
      { service: "eks", target: "DescribeCluster", attempt: 2, failure: "no answer", startMs: 5, durationMs: 5_000 },
    ]);
    expect(record.commands).toEqual([{ argv: ["/usr/bin/kubelet", "--version"], startMs: 2, durationMs: 30 }]);
  });

  test("has a wait begin when it was told of, and end with the run at the latest", () => {
    const retry = { kind: "retry", service: "eks", target: "DescribeCluster", failures: 1, reason: "it is throttled" } as const;
    const record = recordOf([[100, { ...retry, delayMs: 500 }], [9_000, { ...retry, delayMs: 20_000 }]]);
    expect(record.retries.map(({ startMs, durationMs }) => [startMs, durationMs])).toEqual([[100, 500], [9_000, 1_000]]);
  });

  test("names every change that was planned, and what became of it, without contents", () => {
    const record = recordOf([
      [1, { kind: "changes", changes: [WRITE, RELOAD, START_UNIT] }],
      [2, { kind: "step", change: WRITE, outcome: "done", ...at(2, 5) }],
      [3, { kind: "step", change: RELOAD, outcome: "failed", ...at(7, 10) }],
    ]);
    expect(record.changes).toEqual([
      { kind: "write-file", subject: "/etc/a", outcome: "done", startMs: 2, durationMs: 5 },
      { kind: "reload-systemd", outcome: "failed", startMs: 7, durationMs: 10 },
      { kind: "start-unit", subject: "kubelet.service", outcome: "not reached" },
    ]);
    expect(JSON.stringify(record)).not.toContain("hunter2");
  });

  test("has an equal note once, and adds up what is known of the node", () => {
    const record = recordOf([
      [1, { kind: "note", code: "a", message: "A." }],
      [2, { kind: "node", node: { cluster: "demo" } }],
      [3, { kind: "note", code: "a", message: "A." }],
      [4, { kind: "note", code: "a", message: "B." }],
      [5, { kind: "node", node: { zone: "us-west-2a" } }],
    ]);
    expect(record.notes).toEqual([{ code: "a", message: "A." }, { code: "a", message: "B." }]);
    expect(record.node).toEqual({ cluster: "demo", zone: "us-west-2a" });
  });
});
