import type { Clock } from "../io/retry.ts";

export type Service = "imds" | "eks" | "ec2" | "ecr" | "container" | "dns";

/** What happened while facts were gathered, for the log and the report. Nothing in it is secret. */
export type GatherEvent =
  | {
      readonly kind: "request";
      readonly service: Service;
      /** A path of IMDS, or the name of an action. */
      readonly target: string;
      /** From 1. */
      readonly attempt: number;
      /** Milliseconds since 1970. */
      readonly startMs: number;
      readonly durationMs: number;
      /** Undefined when no answer came; then `failure` says why. */
      readonly status?: number;
      readonly failure?: string;
    }
  | { readonly kind: "retry"; readonly service: Service; readonly target: string; readonly failures: number; readonly delayMs: number; readonly reason: string }
  | { readonly kind: "command"; readonly argv: readonly string[]; readonly startMs: number; readonly durationMs: number; readonly failure?: string }
  /** A fallback taken: it belongs to the result's notes. */
  | { readonly kind: "note"; readonly code: string; readonly message: string };

export type OnEvent = (event: GatherEvent) => void;

export type Observer = { readonly clock: Clock; readonly onEvent: OnEvent };

/** Makes the request and tells of it. */
export async function observedRequest<T extends { readonly status: number }>(
  { clock, onEvent }: Observer,
  about: { readonly service: Service; readonly target: string; readonly attempt: number },
  request: () => Promise<T>,
): Promise<T> {
  const startMs = clock.now();
  const tell = (outcome: { readonly status: number } | { readonly failure: string }): void =>
    onEvent({ kind: "request", ...about, startMs, durationMs: clock.now() - startMs, ...outcome });
  try {
    const answer = await request();
    tell({ status: answer.status });
    return answer;
  } catch (error) {
    tell({ failure: reasonOf(error) });
    throw error;
  }
}

export function reasonOf(error: unknown): string {
  return error instanceof Error ? error.message : String(error);
}
