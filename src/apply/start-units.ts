import { demandOfSystemctl } from "./systemctl.ts";

export type QueuedStart = {
  readonly unit: string;
  readonly resetFailed: boolean;
};

/**
 * Queues starts, by one call; if that is refused, by one for each in their order, so that it is known which unit is at fault. Not waited for: a unit
 * may be ordered after one that is itself waiting for us, as with user data that runs in cloud-final.service.
 *
 * @returns settled when the unit's start is queued
 * @throws AgentError "unit-not-up", as queueRestart() does, when systemd refuses
 */
export function queueStarts(starts: readonly QueuedStart[], signal?: AbortSignal): (start: QueuedStart) => Promise<void> {
  if (starts.length < 2 || starts.some(({ resetFailed }) => resetFailed)) return (one) => queueStart(one, signal);
  const all = start(starts.map(({ unit }) => unit), undefined, signal).then(() => true, () => false);
  let before: Promise<unknown> = all;
  return (one) => {
    const queued = Promise.allSettled([before]).then(async () => ((await all) ? undefined : queueStart(one, signal)));
    before = queued;
    return queued;
  };
}

async function queueStart({ unit, resetFailed }: QueuedStart, signal: AbortSignal | undefined): Promise<void> {
  if (resetFailed) await demandOfSystemctl(["reset-failed", "--", unit], unit, signal);
  await start([unit], unit, signal);
}

async function start(units: readonly string[], subject: string | undefined, signal: AbortSignal | undefined): Promise<void> {
  await demandOfSystemctl(["start", "--no-block", "--", ...units], subject, signal);
}

/** Queues a restart. Not waited for either. */
export async function queueRestart(unit: string, signal?: AbortSignal): Promise<void> {
  await demandOfSystemctl(["restart", "--no-block", "--", unit], unit, signal);
}
