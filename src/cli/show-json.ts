import { canonicalJson, type JsonObject, type JsonValue, printJson } from "../lib/json.ts";
import { isDiskStep } from "../plan/around-disks.ts";
import type { Change, ComparedBlock, ComparedFile } from "../plan/plan.ts";
import type { Finding } from "../preflight/finding.ts";
import type { Facts } from "../resolve/facts.ts";
import type { Note } from "../resolve/notes.ts";
import { type NamedValue, valueTable } from "../resolve/value-table.ts";
import { redact } from "./redact.ts";
import { redactJson } from "./redact-json.ts";
import { showStep } from "./show-steps.ts";
import type { RunView } from "./run-view.ts";

/** The same run for a program, as docs/dry-run.schema.json describes it, with the keys in a fixed order. */
export function showJson({ inputs, facts, notes, findings, node, comparison, units }: RunView): string {
  return printJson({
    inputs: inputs.map((input) => redact(input)),
    facts: factsOf(facts),
    notes: notes.map(noteOf),
    findings: findings.map(findingOf),
    values: valueTable(node).map(valueOf),
    files: comparison.files.map(fileOf),
    blocks: comparison.blocks.map(blockOf),
    disks: comparison.changes.flatMap(diskStepOf),
    units: units.map((unit) => unitOf(unit, comparison.changes)),
  });
}

/** Keys sorted: facts are gathered in the order in which the world answers. */
function factsOf(facts: Facts): JsonValue {
  return redactJson(canonicalJson(facts));
}

function noteOf({ code, message }: Note): JsonObject {
  return { code, message: redact(message) };
}

function findingOf({ severity, code, message, source, remedy }: Finding): JsonObject {
  return { severity, code, message: redact(message), source: redact(source), remedy: redact(remedy) };
}

function valueOf({ name, value, source }: NamedValue): JsonObject {
  return { name, value: redactJson(value), source: redact(source) };
}

function fileOf({ path, state, planned }: ComparedFile): JsonObject {
  if (planned === undefined) return { path, mode: null, change: state, contents: null, redacted: false };
  const contents = planned.isSecret ? "<redacted>" : redact(planned.contents);
  return { path, mode: planned.mode.toString(8).padStart(4, "0"), change: state, contents, redacted: contents !== planned.contents };
}

function blockOf({ path, state, planned }: ComparedBlock): JsonObject {
  return { path, change: state, lines: planned === undefined ? null : planned.lines.map((line) => redact(line)) };
}

/** The steps about local disks, in their order. */
function diskStepOf(change: Change): readonly JsonObject[] {
  return isDiskStep(change) ? [{ change: change.kind, description: showStep(change) }] : [];
}

function unitOf(name: string, changes: readonly Change[]): JsonObject {
  const step = changes.find((change) => (change.kind === "start-unit" || change.kind === "restart-unit") && change.unit === name);
  const enable = changes.some((change) => change.kind === "enable-unit" && change.unit === name);
  if (step?.kind === "start-unit") return { name, change: "start", reason: step.reason, enable };
  if (step?.kind === "restart-unit") return { name, change: "restart", reason: step.reason, enable };
  return { name, change: "none", reason: null, enable };
}
