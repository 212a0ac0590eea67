import { existsSync, readFileSync } from "node:fs";
import { AgentError, errnoOf } from "../errors.ts";
import type { ObservedCommand } from "../plan/plan.ts";
import type { Hooks } from "./hooks.ts";
import { pathOn, type Machine } from "./machine.ts";

/** The variable through which a unit of ours is configured; a command line without it runs with none of our settings. */
export const CONFIGURED_UNIT = { name: "kubelet.service", variable: "KUBELET_ARGS" } as const;

/**
 * Refuses a drop-in of somebody else's that starts kubelet without the agent's arguments.
 *
 * @param ours paths that the agent writes or wrote
 * @param stage "before-writing": whatever else is wrong with the unit, this run may put right; "loaded": it is as it will be
 * @param command of the unit, as systemd has it loaded
 * @throws AgentError "preflight-failed" naming the file
 */
export function refuseForeignExecStart(machine: Machine, ours: ReadonlySet<string>, stage: "before-writing" | "loaded", { execStart, dropIns, fragment }: ObservedCommand): void {
  if (execStart === "" || usesOurVariable(execStart)) return;
  const culprit = dropIns.filter((path) => !ours.has(path)).findLast((path) => {
    const text = textOf(machine, path);
    return setsExecStart(text) && !usesOurVariable(text);
  });
  if (culprit !== undefined) throw foreignExecStart(culprit);
  // Not even a drop-in: a unit file in a directory that systemd prefers to ours, such as /run/systemd/transient.
  if (stage === "loaded" && !ours.has(fragment)) throw foreignExecStart(fragment);
}

/** Notes files that systemd would read kubelet's environment from, if they were there: it starts nothing without them. */
export function noteMissingEnvironmentFiles(machine: Machine, { environmentFiles }: ObservedCommand, note: Hooks["note"]): void {
  for (const line of environmentFiles) {
    const [, path] = /^(\/[^*?[]*) \(ignore_errors=no\)$/.exec(line) ?? [];
    if (path === undefined || existsSync(pathOn(machine, path))) continue;
    note("environment-file-missing", `${CONFIGURED_UNIT.name} has EnvironmentFile=${path}, which does not exist: systemd will not start it. Make the file, or write EnvironmentFile=-${path}.`);
  }
}

function usesOurVariable(text: string): boolean {
  return new RegExp(`\\$\\{?${CONFIGURED_UNIT.variable}\\b`).test(text);
}

/** An empty ExecStart= clears the list, and sets none. */
function setsExecStart(text: string): boolean {
  return /^[ \t]*ExecStart[ \t]*=[ \t]*\S/m.test(text);
}

function foreignExecStart(path: string): AgentError {
  const { name, variable } = CONFIGURED_UNIT;
  return new AgentError("preflight-failed", `${path} sets an ExecStart for ${name} without $${variable}: kubelet would run without the node's settings`, {
    remedy: `Remove its ExecStart= lines, or add $${variable} to the command; flags of your own belong in --kubelet-extra-args or spec.kubelet.flags.`,
  });
}

function textOf(machine: Machine, path: string): string {
  try {
    return readFileSync(pathOn(machine, path), "utf8");
  } catch (error) {
    if (errnoOf(error) === undefined) throw error;
    return "";
  }
}
