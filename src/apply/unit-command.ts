import type { ObservedCommand } from "../plan/plan.ts";
import { property, type Properties, showUnits } from "./systemctl.ts";

/** The properties that commandOf() reads. */
export const COMMAND_PROPERTIES = ["FragmentPath", "DropInPaths", "ExecStart", "EnvironmentFiles"] as const;

export function commandOf(properties: Properties): ObservedCommand {
  return {
    fragment: property(properties, "FragmentPath"),
    dropIns: property(properties, "DropInPaths").split(" ").filter((path) => path !== ""),
    execStart: property(properties, "ExecStart"),
    environmentFiles: properties.get("EnvironmentFiles") ?? [],
  };
}

/** @throws AgentError "unit-not-up" when systemd does not tell */
export async function readCommand(unit: string, signal?: AbortSignal): Promise<ObservedCommand> {
  const [properties = new Map<string, never>()] = await showUnits([unit], COMMAND_PROPERTIES, signal);
  return commandOf(properties);
}
