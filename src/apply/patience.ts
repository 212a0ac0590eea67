/** How long things that other programs do are waited for; milliseconds. */
export type Patience = {
  /** Until the container runtime answers on its socket. */
  readonly socketMs: number;
  /** Until a job that waits for other units' jobs is left to systemd. */
  readonly waitingJobMs: number;
  /** How long kubelet must run without an exit to count as up, when it has no health check. */
  readonly quietMs: number;
  /** The first pause between two questions; they grow from there. */
  readonly firstPauseMs: number;
};

export const PATIENCE: Patience = { socketMs: 90_000, waitingJobMs: 10_000, quietMs: 10_000, firstPauseMs: 100 };
