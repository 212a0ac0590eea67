/** SIGTERM and SIGINT, as an abort of the run and then as the way it ends. */
export type Signals = {
  /** Aborted by the first of them. */
  readonly signal: AbortSignal;
  /** Ends the process by the signal it got, so that whoever waits for it sees the truth. */
  readonly dieIfAsked: () => void;
};

/** Why a run is aborted. */
export class EndedBySignal extends Error {
  readonly signal: string;

  constructor(signal: string) {
    super(`ended by ${signal}`);
    this.name = "EndedBySignal";
    this.signal = signal;
  }
}

const FOLLOWED = ["SIGTERM", "SIGINT"] as const;

export function followSignals(): Signals {
  const controller = new AbortController();
  let received: NodeJS.Signals | undefined;
  const onSignal = (name: NodeJS.Signals): void => {
    received ??= name;
    controller.abort(new EndedBySignal(name));
  };
  for (const name of FOLLOWED) process.once(name, onSignal);
  return {
    signal: controller.signal,
    dieIfAsked: () => {
      // The handler is gone after one signal, so this one ends the process.
      if (received !== undefined) process.kill(process.pid, received);
    },
  };
}
