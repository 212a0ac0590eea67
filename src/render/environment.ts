import { PATHS } from "../lib/paths.ts";
import { environmentLine } from "../lib/systemd-quote.ts";
import { printUnitFile } from "../lib/unit-file.ts";
import type { PlannedFile, PlannedUnit } from "../plan/plan.ts";
import type { Variables } from "../resolve/environment.ts";
import type { Node } from "../resolve/node.ts";
import { plannedFile } from "./file.ts";

/** The variables of all services, for systemd itself, and those of each service, in a drop-in for its unit; no file without any. */
export function renderEnvironment({ environment: { all, services } }: Node): readonly PlannedFile[] {
  const ofAll = Object.keys(all).length === 0 ? [] : [secretFile(PATHS.systemEnvironment, "Manager", lines(all).map((line) => `Default${line}`))];
  return [...ofAll, ...Object.entries(services).map(([name, variables]) => secretFile(dropInOf(`${name}.service`), "Service", lines(variables)))];
}

/** The unit, started anew with other variables as well. */
export function withEnvironment(unit: PlannedUnit, environment: readonly PlannedFile[]): PlannedUnit {
  const ofUnit = environment.map(({ path }) => path).filter((path) => path === PATHS.systemEnvironment || path === dropInOf(unit.name));
  return { ...unit, reads: [...unit.reads, ...ofUnit] };
}

function dropInOf(unit: string): string {
  return `/etc/systemd/system/${unit}.d/50-eks-environment.conf`;
}

function lines(variables: Variables): readonly string[] {
  return Object.entries(variables).map(([name, { value }]) => environmentLine(name, value));
}

/** A proxy's URL may hold a password. */
function secretFile(path: string, section: string, settings: readonly string[]): PlannedFile {
  return plannedFile(path, printUnitFile([[section, settings]]), { isUnitFile: true, isSecret: true, mode: 0o600 });
}
