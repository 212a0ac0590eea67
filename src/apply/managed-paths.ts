import type { Observed, Plan } from "../plan/plan.ts";

/** What the agent writes, or wrote before. */
export function managedPaths(plan: Plan, observed: Observed): ReadonlySet<string> {
  return new Set([...plan.files.map(({ path }) => path), ...Object.keys(observed.manifest.files)]);
}
