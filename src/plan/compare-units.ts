import type { Change, Observed, ObservedUnit, Plan, PlannedUnit } from "./plan.ts";
import { unitDigest } from "./unit-digest.ts";

/** ActiveState to what it takes to have the unit run with what is planned. Auto-restart is a sub-state of "activating". */
const STEP_FOR_STATE: Readonly<Record<string, "start" | "reset-and-start" | "restart-if-different">> = {
  inactive: "start",
  deactivating: "start",
  failed: "reset-and-start",
  active: "restart-if-different",
  activating: "restart-if-different",
  reloading: "restart-if-different",
  refreshing: "restart-if-different",
  maintenance: "restart-if-different",
};

/** UnitFileState of units for which `systemctl enable` has nothing to do. */
const NOTHING_TO_ENABLE = ["enabled", "static", "alias", "generated", "transient", "indirect"];

/** The steps that systemd is asked for, in order: reload, enable, then start or restart in the order of the plan. */
export function compareUnits(plan: Plan, observed: Observed, fileChanges: readonly Change[]): Change[] {
  if (plan.units.length === 0) return [];
  const enables = plan.units.filter((unit) => needsEnabling(unit, observed, fileChanges));
  return [
    ...compareLoaded(plan, observed, fileChanges),
    ...enables.map((unit) => ({ kind: "enable-unit" as const, unit: unit.name })),
    ...plan.units.flatMap((unit) => compareRunning(plan, unit, observed, fileChanges)),
  ];
}

/** Whether systemd must read its units again. */
export function compareLoaded(plan: Plan, observed: Observed, fileChanges: readonly Change[]): Change[] {
  const changed = fileChanges.filter(isOfUnitFile).map(pathOf);
  if (changed.length > 0) return [{ kind: "reload-systemd", reason: `changed: ${changed.join(", ")}` }];
  const stale = unitNames(plan).filter((name) => observed.units.get(name)?.needDaemonReload);
  if (stale.length > 0) return [{ kind: "reload-systemd", reason: `changed on disk since systemd read it: ${stale.join(", ")}` }];
  return [];
}

/** Those that are brought up, those of mounts, and those that have files open there. */
export function unitNames({ units, disks }: Plan): readonly string[] {
  const { volumes = [], directories = [] } = disks ?? {};
  return [...new Set([...units.map(({ name }) => name), ...[...volumes, ...directories].map(({ unit }) => unit), ...directories.flatMap(({ users }) => users)])];
}

function needsEnabling(unit: PlannedUnit, observed: Observed, fileChanges: readonly Change[]): boolean {
  if (!unit.enable) return false;
  const state = observed.units.get(unit.name)?.unitFileState ?? "";
  // The file to come may have an [Install] section where the present one, "static", has none.
  const isReplaced = fileChanges.some((change) => change.kind === "write-file" && change.file.path.endsWith(`/${unit.name}`));
  return !NOTHING_TO_ENABLE.includes(state) || (state !== "enabled" && isReplaced);
}

function compareRunning(plan: Plan, unit: PlannedUnit, observed: Observed, fileChanges: readonly Change[]): Change[] {
  const { name } = unit;
  const digest = unitDigest(plan, unit);
  const state = observed.units.get(name);
  const step = STEP_FOR_STATE[state?.activeState ?? "inactive"] ?? "start";
  if (step !== "restart-if-different" && unit.whenDown === "leave") return [];
  switch (step) {
    case "start":
      return [{ kind: "start-unit", unit: name, digest, resetFailed: false, reason: showState(state) }];
    case "reset-and-start":
      return [{ kind: "start-unit", unit: name, digest, resetFailed: true, reason: showState(state) }];
    case "restart-if-different":
      if (observed.manifest.units[name] === digest || unit.whenDifferent === "leave") return [];
      return [{ kind: "restart-unit", unit: name, digest, reason: reasonToRestart(unit, observed, fileChanges) }];
  }
}

function reasonToRestart(unit: PlannedUnit, observed: Observed, fileChanges: readonly Change[]): string {
  const changed = fileChanges.map(pathOf).filter((path) => unit.reads.includes(path));
  if (changed.length > 0) return `changed: ${changed.join(", ")}`;
  if (observed.manifest.units[unit.name] === undefined) return "not started by eks-node-agent so far";
  return "started with other files or another version than planned";
}

function showState(state: ObservedUnit | undefined): string {
  return state === undefined ? "not running" : `${state.activeState} (${state.subState})`;
}

function isOfUnitFile(change: Change): boolean {
  return (change.kind === "write-file" && change.file.isUnitFile) || (change.kind === "remove-file" && change.isUnitFile);
}

function pathOf(change: Change): string {
  if (change.kind === "write-file") return change.file.path;
  return change.kind === "remove-file" ? change.path : "";
}
