import { machineAt } from "../apply/machine.ts";
import { AgentError } from "../errors.ts";
import { SYSTEM_CLOCK } from "../io/retry.ts";
import type { Result } from "../report/last-run.ts";
import { createRecorder, type RecordEvent, type Recorder } from "../report/record.ts";
import { VERSION } from "../version.ts";
import type { BootstrapFlags } from "./bootstrap-flags.ts";
import { PHASES } from "./phases.ts";
import { redactArguments } from "./redact.ts";
import { run } from "./run.ts";
import { tellError } from "./show-error.ts";
import { EndedBySignal } from "./signals.ts";
import { timed } from "./timed.ts";
import type { World } from "./world.ts";

/**
 * Runs a bootstrap, and leaves a record of it for `report`, however it ended. A dry run leaves none, nor does a run that was
 * refused before it began: the record of the one before tells more.
 *
 * @param argv the words after the program's name
 * @returns the exit status
 */
export async function recordedRun(flags: BootstrapFlags, argv: readonly string[], world: World): Promise<number> {
  if (flags.dryRun) return run(flags, world);
  const recorder = createRecorder({
    version: VERSION,
    startMs: performance.timeOrigin,
    now: () => SYSTEM_CLOCK.now(),
    commandLine: redactArguments(argv),
    environment: Object.keys(flags.environment),
  });
  const [outcome] = await Promise.allSettled([run(flags, recordingTo(recorder.record, world))]);
  await keep(recorder, outcome, flags, world);
  if (outcome.status === "rejected") throw outcome.reason;
  return outcome.value;
}

function recordingTo(record: RecordEvent, world: World): World {
  return {
    ...world,
    record,
    phase: async (name, action) => {
      const { value } = await timed(() => world.phase(name, action), (span) => record({ kind: "phase", name, title: PHASES[name], ...span }));
      return value;
    },
  };
}

/** A record that cannot be kept is worth a warning, and no more: the node is as it is. */
async function keep(recorder: Recorder, outcome: PromiseSettledResult<number>, flags: BootstrapFlags, world: World): Promise<void> {
  const result = resultOf(outcome);
  if (result === undefined) return;
  try {
    // What writes files is read when there is something to write.
    const { writeLastRun } = await import("./last-run-file.ts");
    await writeLastRun(machineAt(flags.root), recorder.finish(result));
  } catch (error) {
    world.log.warn(`There is no record of this run for \`eks-node-agent report\`: ${error instanceof Error ? error.message : String(error)}`);
  }
}

/** Codes of runs that never began. */
const REFUSED: readonly string[] = ["usage", "not-root"];

function resultOf(outcome: PromiseSettledResult<number>): Result | undefined {
  if (outcome.status === "fulfilled") return { kind: "done", exitStatus: outcome.value };
  const error: unknown = outcome.reason;
  if (error instanceof EndedBySignal) return { kind: "stopped", signal: error.signal };
  if (error instanceof AgentError && REFUSED.includes(error.code)) return undefined;
  return { kind: "failed", ...tellError(error) };
}
