import { machineAt, pathOn } from "../apply/machine.ts";
import type { LastRun } from "../report/last-run.ts";
import { parseLastRun } from "../report/parse-last-run.ts";
import { brokenLastRun, LAST_RUN_PATH, readLastRun } from "./last-run-file.ts";
import type { ReportFlags } from "./report-flags.ts";
import type { World } from "./world.ts";

/**
 * Shows what the last run did, when, and how it ended: for a person, as it was recorded, or as a drawing.
 *
 * @returns the exit status, 0 also for a run that failed
 */
export async function report({ file, output, root }: ReportFlags, world: Pick<World, "print" | "colour">): Promise<number> {
  const path = file ?? pathOn(machineAt(root), LAST_RUN_PATH);
  const contents = await readLastRun(path, file !== undefined);
  const parsed = parseLastRun(contents);
  if ("problems" in parsed) throw brokenLastRun(path, parsed.problems);
  world.print(output === "json" ? contents : await SHOWN[output](parsed.lastRun, world.colour));
  return 0;
}

const SHOWN: Readonly<Record<Exclude<ReportFlags["output"], "json">, (lastRun: LastRun, colour: boolean) => Promise<string>>> = {
  text: async (lastRun, colour) => (await import("./show-last-run.ts")).showLastRun(lastRun, { colour }),
  svg: async (lastRun) => (await import("../report/timeline.ts")).showTimeline(lastRun),
};
