import { expect, test } from "vitest";
import { parseLastRun } from "../../src/report/parse-last-run.ts";
import { DONE, FAILED, STOPPED } from "./runs.ts";

test.each([["done", DONE], ["failed", FAILED], ["stopped", STOPPED]])("a run that was %s is read as it was written", (_how, run) => {
  expect(parseLastRun(JSON.stringify(run))).toEqual({ lastRun: run });
});

test("what a later version added is no fault", () => {
  const later = { ...DONE, colour: "red", requests: DONE.requests.map((request) => ({ ...request, bytes: 12 })) };
  expect(parseLastRun(JSON.stringify(later))).toEqual({ lastRun: later });
});

const BROKEN: readonly (readonly [why: string, contents: string, problems: readonly string[]])[] = [
  ["cut short", '{"version": "1', ["it is not JSON: Unterminated string in JSON at position 14 (line 1 column 15)"]],
  ["another file", "[]", ["the file: expected an object, not []"]],
  ["without a field", JSON.stringify({ ...DONE, phases: undefined }), ["phases is missing"]],
  ["a time that is none", JSON.stringify({ ...DONE, startedAt: "yesterday" }), ['startedAt: expected a time such as "2026-01-31T12:00:00.000Z", not "yesterday"']],
  ["a duration that is none", JSON.stringify({ ...DONE, durationMs: -1 }), ["durationMs: expected a whole number, not -1"]],
  ["an unknown end", JSON.stringify({ ...DONE, result: { kind: "lost" } }), ['result.kind: expected "done" or "failed" or "stopped", not "lost"']],
  [
    "several faults",
    JSON.stringify({ ...DONE, requests: [{ service: 1 }], notes: [{}] }),
    [
      "requests[0].target is missing",
      "requests[0].attempt is missing",
      "requests[0].startMs is missing",
      "requests[0].durationMs is missing",
      "requests[0].service: expected text, not 1",
      "notes[0].code is missing",
      "notes[0].message is missing",
    ],
  ],
];
test.each(BROKEN)("a record that is broken is told: %s", (_why, contents, problems) => {
  expect(parseLastRun(contents)).toEqual({ problems });
});
