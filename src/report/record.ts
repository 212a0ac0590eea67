import type { Change } from "../plan/plan.ts";
import type { ChangeRun, FindingRun, LastRun, NodeIdentity, NoteRun, Result } from "./last-run.ts";

/** Something that happened in a run. Times are milliseconds since 1970. */
export type RunEvent =
  | { readonly kind: "sources"; readonly sources: readonly string[] }
  | { readonly kind: "node"; readonly node: NodeIdentity }
  | ({ readonly kind: "phase"; readonly name: string; readonly title: string; readonly outcome: "done" | "failed" } & Timed)
  | ({ readonly kind: "request"; readonly service: string; readonly target: string; readonly attempt: number; readonly status?: number; readonly failure?: string } & Timed)
  /** Told when the wait begins. */
  | { readonly kind: "retry"; readonly service: string; readonly target: string; readonly failures: number; readonly delayMs: number; readonly reason: string }
  | ({ readonly kind: "command"; readonly argv: readonly string[]; readonly failure?: string } & Timed)
  | ({ readonly kind: "note" } & NoteRun)
  | { readonly kind: "findings"; readonly findings: readonly FindingRun[] }
  /** What is going to be done. */
  | { readonly kind: "changes"; readonly changes: readonly Change[] }
  /** One of them, tried. */
  | ({ readonly kind: "step"; readonly change: Change; readonly outcome: "done" | "failed" } & Timed);

export type Timed = { readonly startMs: number; readonly durationMs: number };

export type RecordEvent = (event: RunEvent) => void;

/** What is known of a run before anything happens in it. */
export type Origin = {
  readonly version: string;
  /** Milliseconds since 1970, as `now` says them. */
  readonly startMs: number;
  readonly now: () => number;
  readonly commandLine: readonly string[];
  readonly environment: readonly string[];
};

export type Recorder = {
  readonly record: RecordEvent;
  /** All of it, when the run is over. */
  readonly finish: (result: Result) => LastRun;
};

export function createRecorder(origin: Origin): Recorder {
  const events: Recorded[] = [];
  return {
    record: (event) => void events.push({ atMs: origin.now(), event }),
    finish: (result) => lastRunOf(origin, events, result),
  };
}

type Recorded = { readonly atMs: number; readonly event: RunEvent };

function lastRunOf({ version, startMs, now, commandLine, environment }: Origin, events: readonly Recorded[], result: Result): LastRun {
  const endMs = now();
  const since = sinceStart(startMs, endMs);
  return {
    version,
    startedAt: new Date(startMs).toISOString(),
    durationMs: since({ startMs, durationMs: endMs - startMs }).durationMs,
    inputs: { commandLine, environment, sources: ofKind(events, "sources").flatMap(({ sources }) => sources) },
    node: ofKind(events, "node").reduce<NodeIdentity>((known, { node }) => ({ ...known, ...node }), {}),
    // One may run within another, and end before it.
    phases: ofKind(events, "phase").map(({ kind: _, ...phase }) => ({ ...phase, ...since(phase) })).toSorted((one, other) => one.startMs - other.startMs),
    requests: ofKind(events, "request").map(({ kind: _, ...request }) => ({ ...request, ...since(request) })),
    retries: events.flatMap((recorded) => waitOf(recorded, since)),
    commands: ofKind(events, "command").map(({ kind: _, ...command }) => ({ ...command, ...since(command) })),
    changes: changesOf(events, since),
    notes: eachOnce(ofKind(events, "note").map(({ code, message }) => ({ code, message }))),
    findings: ofKind(events, "findings").flatMap(({ findings }) => findings),
    result,
  };
}

type Since = (timed: Timed) => Timed;

/** Ends are rounded, not durations: what began when something ended begins there afterwards too. No wait outlasts the run. */
function sinceStart(originMs: number, endMs: number): Since {
  const since = (ms: number): number => Math.max(0, Math.round(Math.min(ms, endMs) - originMs));
  return ({ startMs, durationMs }) => ({ startMs: since(startMs), durationMs: since(startMs + durationMs) - since(startMs) });
}

function ofKind<Kind extends RunEvent["kind"]>(events: readonly Recorded[], kind: Kind): readonly Extract<RunEvent, { kind: Kind }>[] {
  return events.map(({ event }) => event).filter((event): event is Extract<RunEvent, { kind: Kind }> => event.kind === kind);
}

function waitOf({ atMs, event }: Recorded, since: Since): LastRun["retries"] {
  if (event.kind !== "retry") return [];
  const { service, target, failures, delayMs, reason } = event;
  return [{ service, target, failures, reason, ...since({ startMs: atMs, durationMs: delayMs }) }];
}

function changesOf(events: readonly Recorded[], since: Since): readonly ChangeRun[] {
  const steps = ofKind(events, "step");
  return ofKind(events, "changes").flatMap(({ changes }) => changes).map((change) => {
    const step = steps.find((candidate) => candidate.change === change);
    const planned = { kind: change.kind, ...subjectOf(change) };
    return step === undefined ? { ...planned, outcome: "not reached" } : { ...planned, outcome: step.outcome, ...since(step) };
  });
}

function subjectOf(change: Change): { readonly subject?: string } {
  switch (change.kind) {
    case "write-file":
      return { subject: change.file.path };
    case "write-block":
      return { subject: change.block.path };
    case "remove-file":
    case "remove-block":
      return { subject: change.path };
    case "create-array":
    case "assemble-array":
      return { subject: change.devices.join(", ") };
    case "make-file-system":
      return { subject: change.device };
    case "mount":
      return { subject: change.mountPoint };
    case "copy-directory":
      return { subject: change.from };
    case "reload-systemd":
      return {};
    case "enable-unit":
    case "stop-unit":
    case "start-unit":
    case "restart-unit":
      return { subject: change.unit };
  }
}

function eachOnce(notes: readonly NoteRun[]): readonly NoteRun[] {
  return notes.filter((note, index) => notes.findIndex(({ code, message }) => code === note.code && message === note.message) === index);
}
