import { PATHS } from "../lib/paths.ts";
import { printUnitFile, type UnitSetting } from "../lib/unit-file.ts";
import type { PlannedFile } from "../plan/plan.ts";
import type { Node } from "../resolve/node.ts";
import { plannedFile } from "./file.ts";

/** Name servers and search domains for systemd-resolved; no file where none are asked for. */
export function renderResolvedConfig({ nameResolution: { nameservers, domains } }: Node): readonly PlannedFile[] {
  const settings: readonly UnitSetting[] = [...setting("DNS", nameservers), ...setting("Domains", domains)];
  return settings.length === 0 ? [] : [plannedFile(PATHS.resolvedConfig, printUnitFile([["Resolve", settings]]))];
}

function setting(name: string, values: readonly string[]): readonly UnitSetting[] {
  return values.length === 0 ? [] : [[name, values.join(" ")]];
}
