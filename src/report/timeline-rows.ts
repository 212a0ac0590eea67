import { showSpan } from "../lib/show-span.ts";
import { CHANGE_VERBS } from "./change-verbs.ts";
import type { ChangeRun, CommandRun, LastRun, PhaseRun, RequestRun, RetryWait, Span } from "./last-run.ts";
import { isRefused, type RequestRow, requestRows, shortTarget, showOutcomes, spanOf } from "./request-rows.ts";

/** What a bar is, which decides how it looks. */
export type BarKind = "start" | "phase" | "answered" | "refused" | "wait" | "command" | "step";

export type Bar = Span & {
  readonly kind: BarKind;
  /** Shown on it where there is room. */
  readonly label: string;
  /** Shown by a browser when it is pointed at. */
  readonly about: string;
};

/** A moment at which something was done, or failed. */
export type Mark = { readonly atMs: number; readonly outcome: "done" | "failed"; readonly about: string };

export type Row = {
  /** A short word before the label; "" for none. */
  readonly prefix: string;
  readonly label: string;
  readonly bars: readonly Bar[];
  readonly marks: readonly Mark[];
  /** How it ended, in a few words; "" where that goes without saying. */
  readonly outcome: string;
  /** "12ms"; "" for what was not done. */
  readonly took: string;
  readonly look: "plain" | "failed" | "faint";
};

export type Group = { readonly title: string; readonly rows: readonly Row[] };

/** What the timeline shows, from top to bottom; a group without rows is left out. */
export function groupsOf(run: LastRun): readonly Group[] {
  const groups: readonly Group[] = [
    { title: "Phases", rows: [...startRow(run), ...run.phases.map(phaseRow)] },
    { title: "Requests", rows: requestRows(run).map(requestRow) },
    { title: "Commands", rows: run.commands.toSorted((a, b) => a.startMs - b.startMs).map(commandRow) },
    { title: "Changes", rows: changeRows(run.changes) },
  ];
  return groups.filter(({ rows }) => rows.length > 0);
}

/** From the process's beginning to the first thing that it did. */
function startRow({ phases }: LastRun): readonly Row[] {
  const [first] = phases;
  if (first === undefined) return [];
  const span = { startMs: 0, durationMs: first.startMs };
  return [{ ...PLAIN, label: "starting the program", bars: [{ ...span, kind: "start", label: "", about: describe("starting the program", span) }], took: showSpan(first.startMs), look: "faint" }];
}

const PLAIN: Row = { prefix: "", label: "", bars: [], marks: [], outcome: "", took: "", look: "plain" };

function phaseRow({ name, title, outcome, ...span }: PhaseRun): Row {
  const isFailed = outcome === "failed";
  return {
    ...PLAIN,
    label: title,
    bars: [{ ...span, kind: "phase", label: "", about: describe(`${name}: ${title}`, span) }],
    marks: isFailed ? [{ atMs: endOf(span), outcome, about: `${name} failed at ${showSpan(endOf(span))}` }] : [],
    outcome: isFailed ? "failed" : "",
    took: showSpan(span.durationMs),
    look: isFailed ? "failed" : "plain",
  };
}

function requestRow(row: RequestRow): Row {
  const { service, tries, waits, durationMs } = row;
  const last = tries.at(-1);
  return {
    ...PLAIN,
    prefix: service,
    label: shortTarget(row),
    bars: [...waits.map(waitBar), ...tries.map(tryBar)],
    outcome: showOutcomes(tries),
    took: showSpan(durationMs),
    look: last !== undefined && isRefused(last) ? "failed" : "plain",
  };
}

function tryBar(request: RequestRun): Bar {
  const { service, target, attempt, status, failure, startMs, durationMs } = request;
  const outcome = status === undefined ? `no answer (${failure ?? "unknown"})` : String(status);
  return {
    startMs,
    durationMs,
    kind: isRefused(request) ? "refused" : "answered",
    label: status === undefined ? "×" : String(status),
    about: describe(`${service} ${target}, try ${attempt}: ${outcome}`, request),
  };
}

function waitBar({ service, target, failures, reason, startMs, durationMs }: RetryWait): Bar {
  const about = describe(`${service} ${target}, wait after try ${failures}: ${reason}`, { startMs, durationMs });
  return { startMs, durationMs, kind: "wait", label: showSpan(durationMs), about };
}

function commandRow({ argv: [program = "", ...args], failure, ...span }: CommandRun): Row {
  const name = [program.slice(program.lastIndexOf("/") + 1), ...args].join(" ");
  const about = describe(`${[program, ...args].join(" ")}${failure === undefined ? "" : `: ${failure}`}`, span);
  return {
    ...PLAIN,
    label: name,
    bars: [{ ...span, kind: "command", label: "", about }],
    outcome: failure === undefined ? "" : "failed",
    took: showSpan(span.durationMs),
    look: failure === undefined ? "plain" : "failed",
  };
}

/** Steps that are short and many: all of a kind are one row. */
const TOGETHER: Readonly<Partial<Record<ChangeRun["kind"], string>>> = { "write-file": "files", "remove-file": "files", "enable-unit": "units" };

function changeRows(changes: readonly ChangeRun[]): readonly Row[] {
  const groups = Map.groupBy(changes, (change) => (TOGETHER[change.kind] === undefined ? change : change.kind));
  return [...groups.values()].map((group) => changeRow(group));
}

function changeRow(changes: readonly ChangeRun[]): Row {
  const taken = changes.flatMap(takenStep);
  const failed = changes.filter(({ outcome }) => outcome === "failed").length;
  const span = taken.length === 0 ? undefined : spanOf(taken);
  const label = labelOf(changes);
  return {
    ...PLAIN,
    label,
    bars: span === undefined ? [] : [{ ...span, kind: "step", label: "", about: describe(label, span) }],
    marks: taken.map(({ outcome, subject, ...step }) => ({ atMs: endOf(step), outcome, about: `${subject} ${outcome} at ${showSpan(endOf(step))}` })),
    outcome: span === undefined ? "not reached" : failed > 0 ? "failed" : "",
    took: span === undefined ? "" : showSpan(span.durationMs),
    look: failed > 0 ? "failed" : span === undefined ? "faint" : "plain",
  };
}

type TakenStep = Span & { readonly outcome: "done" | "failed"; readonly subject: string };

function takenStep({ outcome, subject = "systemd", startMs, durationMs }: ChangeRun): readonly TakenStep[] {
  if (outcome === "not reached" || startMs === undefined || durationMs === undefined) return [];
  return [{ outcome, subject, startMs, durationMs }];
}

function labelOf(changes: readonly ChangeRun[]): string {
  const [first] = changes;
  if (first === undefined) return "";
  const what = changes.length === 1 ? (first.subject ?? "") : `${changes.length} ${TOGETHER[first.kind] ?? "times"}`;
  return `${CHANGE_VERBS[first.kind]} ${what}`.trimEnd();
}

function describe(what: string, span: Span): string {
  return `${what}: ${showSpan(span.durationMs)}, from ${showSpan(span.startMs)} to ${showSpan(endOf(span))}`;
}

function endOf({ startMs, durationMs }: Span): number {
  return startMs + durationMs;
}
