import { showSpan } from "../lib/show-span.ts";
import { CHANGE_VERBS } from "../report/change-verbs.ts";
import type { ChangeRun, CommandRun, FindingRun, LastRun, NoteRun, PhaseRun, RetryWait } from "../report/last-run.ts";
import { isRefused, type RequestRow, requestRows, shortTarget, showOutcomes } from "../report/request-rows.ts";
import { type Line, line, paint, type Style } from "./colour.ts";
import { printable } from "./printable.ts";
import { shellWord } from "./shell-word.ts";
import { COLUMNS, wrap } from "./wrap.ts";

/** What a run did, when, and how it ended, for a person. What matters most comes last, where a terminal shows it. */
export function showLastRun(run: LastRun, { colour }: { readonly colour: boolean }): string {
  const sections: readonly Section[] = [
    ["", showHead(run)],
    ["Inputs", showInputs(run)],
    ["Phases", run.phases.flatMap(showPhase)],
    ["Requests", requestRows(run).flatMap(showRequest)],
    ["Commands", run.commands.flatMap(showCommand)],
    ["Changes", run.changes.flatMap(showChange)],
    ["Notes", run.notes.flatMap(showNote)],
    ["Preflight", run.findings.flatMap(showFinding)],
    ["Result", showResult(run)],
  ];
  const lines = sections.flatMap(showSection).slice(0, -1);
  return lines.map(({ style, text }) => `${paint(style, printable(text), colour)}\n`).join("");
}

type Section = readonly [title: string, lines: readonly Line[]];

/** A section with nothing in it is left out. */
function showSection([title, lines]: Section): readonly Line[] {
  if (lines.length === 0) return [];
  return [...(title === "" ? [] : [line(title, "heading")]), ...lines, line("")];
}

function showHead({ version, startedAt, node }: LastRun): readonly Line[] {
  const { cluster, instanceId, instanceType, zone, kubeletVersion } = node;
  const parts = [cluster && `cluster ${cluster}`, instanceId, instanceType, zone, kubeletVersion && `kubelet ${kubeletVersion}`].filter(Boolean);
  const began = `Run of eks-node-agent ${version}, began ${startedAt.slice(0, 19).replace("T", " ")} UTC`;
  return [line(began, "heading"), ...(parts.length === 0 ? [] : indented(parts.join(", ")))];
}

function showInputs({ inputs }: LastRun): readonly Line[] {
  const { commandLine, environment, sources } = inputs;
  return [
    ...indented(["eks-node-agent", ...commandLine.map((word) => shellWord(shorten(word)))].join(" ")),
    ...(environment.length === 0 ? [] : indented(`environment: ${environment.join(", ")}`)),
    ...(sources.length === 0 ? [] : indented(`found: ${sources.join("; ")}`)),
  ];
}

/** A certificate in base64 tells a person nothing. */
const LONGEST_WORD = 100;

function shorten(word: string): string {
  return word.length <= LONGEST_WORD ? word : `${word.slice(0, LONGEST_WORD / 2)}…`;
}

function showPhase({ title, outcome, startMs, durationMs }: PhaseRun): readonly Line[] {
  return row(title, outcome === "failed" ? "failed" : `at ${showSpan(startMs)}`, showSpan(durationMs), outcome === "failed" ? "error" : "plain");
}

function showRequest(request: RequestRow): readonly Line[] {
  const { service, tries, waits, durationMs } = request;
  const last = tries.at(-1);
  const isFailed = last !== undefined && isRefused(last);
  const label = `${service.padEnd(4)} ${shortTarget(request)}`;
  return [...row(label, showOutcomes(tries), showSpan(durationMs), isFailed ? "error" : "plain"), ...inARow(waits).flatMap(showWaits), ...showFailure(last?.failure)];
}

/** Waits with the same reason, one after the other. */
function inARow(waits: readonly RetryWait[]): readonly (readonly RetryWait[])[] {
  return waits.reduce<readonly (readonly RetryWait[])[]>((groups, wait) => {
    const last = groups.at(-1);
    return last?.[0]?.reason === wait.reason ? [...groups.slice(0, -1), [...last, wait]] : [...groups, [wait]];
  }, []);
}

function showWaits(waits: readonly RetryWait[]): readonly Line[] {
  const waitedMs = waits.reduce((sum, { durationMs }) => sum + durationMs, 0);
  const [first] = waits;
  const times = ["once", "twice"][waits.length - 1] ?? `${waits.length} times`;
  return indented(`asked again ${times}, having waited ${showSpan(waitedMs)}: ${first?.reason ?? ""}`, "       ", "warning");
}

function showFailure(failure: string | undefined): readonly Line[] {
  return failure === undefined ? [] : indented(failure, "       ", "error");
}

function showCommand({ argv, failure, durationMs }: CommandRun): readonly Line[] {
  const words = argv.map(shellWord).join(" ");
  return [...row(words, failure === undefined ? "" : "failed", showSpan(durationMs), failure === undefined ? "plain" : "error"), ...showFailure(failure)];
}

const STYLES: Readonly<Record<ChangeRun["outcome"], Style>> = { done: "plain", failed: "error", "not reached": "faint" };

function showChange({ kind, subject, outcome, durationMs }: ChangeRun): readonly Line[] {
  const label = subject === undefined ? CHANGE_VERBS[kind] : `${CHANGE_VERBS[kind]} ${subject}`;
  return row(label, outcome === "done" ? "" : outcome, durationMs === undefined ? "" : showSpan(durationMs), STYLES[outcome]);
}

function showNote({ code, message }: NoteRun): readonly Line[] {
  return indented(`${code}: ${message}`);
}

function showFinding({ severity, code, message, source, remedy }: FindingRun): readonly Line[] {
  return [...indented(`${severity} ${code}: ${message} (${source}).`, "  ", severity === "error" ? "error" : "warning"), ...indented(remedy, "    ")];
}

function showResult({ result, durationMs }: LastRun): readonly Line[] {
  const took = showSpan(durationMs);
  switch (result.kind) {
    case "done":
      return [line(`  done in ${took}, exit status ${result.exitStatus}`, "added")];
    case "stopped":
      return [line(`  ended by ${result.signal} after ${took}`, "error")];
    case "failed":
      return [
        line(`  failed after ${took}: ${result.code}, exit status ${result.exitStatus}`, "error"),
        ...indented(result.message),
        ...result.lines.flatMap((each) => each.split("\n")).map((each) => line(`    ${each}`)),
        ...indented(`remedy: ${result.remedy}`),
      ];
  }
}

/** Where the columns end. */
const LABEL_END = 50;
const OUTCOME_END = 66;

/** A label, how it ended and how long it took; a label that leaves no room for these stands on a line of its own. */
function row(label: string, outcome: string, took: string, style: Style): readonly Line[] {
  const start = `  ${label}`;
  const rest = `${" ".repeat(LABEL_END)}${outcome.padEnd(OUTCOME_END - LABEL_END)}${took.padStart(COLUMNS - OUTCOME_END)}`.trimEnd();
  if (rest === "") return [line(start, style)];
  const fits = rest.slice(0, start.length + 1).trim() === "";
  return fits ? [line(start + rest.slice(start.length), style)] : [line(start, style), line(rest, style)];
}

function indented(text: string, indent = "  ", style: Style = "plain"): readonly Line[] {
  return wrap(text, indent, `${indent}  `).map((each) => line(each, style));
}
