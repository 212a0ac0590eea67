import { count, listOf, ofKind, oneOf, openObject, type Shape, text } from "../lib/shape.ts";
import type { ChangeRun, LastRun } from "./last-run.ts";

/** The record in a text, or what is wrong with it: one sentence each. What a later version may have added is left alone. */
export function parseLastRun(contents: string): { readonly lastRun: LastRun } | { readonly problems: readonly string[] } {
  const parsed = parseJson(contents);
  if ("problems" in parsed) return parsed;
  const problems = LAST_RUN(parsed.value, "");
  return problems.length > 0 ? { problems } : { lastRun: parsed.value as LastRun };
}

function parseJson(contents: string): { readonly value: unknown } | { readonly problems: readonly string[] } {
  try {
    return { value: JSON.parse(contents) as unknown };
  } catch (error) {
    return { problems: [`it is not JSON: ${(error as SyntaxError).message}`] };
  }
}

/** A time that can be shown: JavaScript's dates go further than RFC 3339's four digits. */
const time: Shape = (value, path) => {
  const isTime = typeof value === "string" && /^\d{4}-\d\d-\d\dT[\d:.]+Z$/.test(value) && !Number.isNaN(Date.parse(value));
  return isTime ? [] : [`${path}: expected a time such as "2026-01-31T12:00:00.000Z", not ${JSON.stringify(value)}`];
};

const SPAN = { startMs: count, durationMs: count };
const KINDS = ["write-file", "remove-file", "write-block", "remove-block", "create-array", "assemble-array", "make-file-system", "mount", "stop-unit", "copy-directory", "reload-systemd", "enable-unit", "start-unit", "restart-unit"] as const satisfies readonly ChangeRun["kind"][];

const LAST_RUN = openObject({
  version: text,
  startedAt: time,
  durationMs: count,
  inputs: openObject({ commandLine: listOf(text), environment: listOf(text), sources: listOf(text) }),
  node: openObject({}, { cluster: text, instanceId: text, instanceType: text, zone: text, kubeletVersion: text }),
  phases: listOf(openObject({ name: text, title: text, outcome: oneOf("done", "failed"), ...SPAN })),
  requests: listOf(openObject({ service: text, target: text, attempt: count, ...SPAN }, { status: count, failure: text })),
  retries: listOf(openObject({ service: text, target: text, failures: count, reason: text, ...SPAN })),
  commands: listOf(openObject({ argv: listOf(text), ...SPAN }, { failure: text })),
  changes: listOf(openObject({ kind: oneOf(...KINDS), outcome: oneOf("done", "failed", "not reached") }, { subject: text, ...SPAN })),
  notes: listOf(openObject({ code: text, message: text })),
  findings: listOf(openObject({ severity: oneOf("error", "note"), code: text, message: text, source: text, remedy: text })),
  result: ofKind({
    done: openObject({ kind: text, exitStatus: count }),
    failed: openObject({ kind: text, exitStatus: count, code: text, message: text, lines: listOf(text), remedy: text }),
    stopped: openObject({ kind: text, signal: text }),
  }),
} satisfies Record<keyof LastRun, Shape>);
