import type { LastRun, RequestRun, RetryWait, Span } from "./last-run.ts";

/** All tries of one question, and the waits between them. */
export type RequestRow = Span & {
  readonly service: string;
  readonly target: string;
  readonly tries: readonly RequestRun[];
  readonly waits: readonly RetryWait[];
};

/** In the order in which the questions were first asked. */
export function requestRows({ requests, retries }: Pick<LastRun, "requests" | "retries">): readonly RequestRow[] {
  const groups = Map.groupBy([...requests, ...retries], ({ service, target }) => JSON.stringify([service, target]));
  return [...groups.values()].flatMap(rowOf).toSorted((a, b) => a.startMs - b.startMs);
}

function rowOf(events: readonly (RequestRun | RetryWait)[]): readonly RequestRow[] {
  const [first] = events;
  if (first === undefined) return [];
  const { service, target } = first;
  return [{ service, target, ...spanOf(events), tries: events.filter((event) => "attempt" in event), waits: events.filter((event) => "reason" in event) }];
}

/** From the first beginning to the last end. */
export function spanOf(spans: readonly Span[]): Span {
  const startMs = Math.min(...spans.map((span) => span.startMs));
  return { startMs, durationMs: Math.max(...spans.map((span) => span.startMs + span.durationMs)) - startMs };
}

/** Whether a try was in vain. IMDS says 404 for what this instance has not. */
export function isRefused({ service, status, failure }: RequestRun): boolean {
  return failure !== undefined || status === undefined || (status >= 400 && !(service === "imds" && status === 404));
}

/** "200", "503 ×12, 200": how the tries ended, in their order; "14 tries, 429" where that is no simple tale. */
export function showOutcomes(tries: readonly RequestRun[]): string {
  const runs: { readonly outcome: string; readonly count: number }[] = [];
  for (const { status } of tries) {
    const outcome = status === undefined ? "no answer" : String(status);
    const last = runs.at(-1);
    if (last?.outcome === outcome) runs[runs.length - 1] = { outcome, count: last.count + 1 };
    else runs.push({ outcome, count: 1 });
  }
  const last = runs.at(-1);
  if (last !== undefined && runs.length > 2) return `${tries.length} tries, ${last.outcome}`;
  return runs.map(({ outcome, count }) => (count === 1 ? outcome : `${outcome} ×${count}`)).join(", ");
}

/** A path of IMDS without what all of them begin with. */
export function shortTarget({ service, target }: { readonly service: string; readonly target: string }): string {
  return service === "imds" ? target.replace(/^\/latest\//, "") : target;
}
