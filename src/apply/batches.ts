import type { Change } from "../plan/plan.ts";

/**
 * Steps that are taken together, in their order. The writes go to the disk together, since each waits for it several times. Units are
 * enabled together, which has systemd read its units again, and started together where the next needs nothing of the one before: each
 * call of systemctl costs time of its own.
 *
 * @param isNeeded whether what comes after the unit is not to be started unless it is up
 */
export function inBatches(changes: readonly Change[], isNeeded: (unit: string) => boolean): readonly (readonly Change[])[] {
  const batches: Change[][] = [];
  for (const change of changes) {
    const batch = batches.at(-1);
    if (batch !== undefined && joins(change, batch, isNeeded)) batch.push(change);
    else batches.push([change]);
  }
  return batches;
}

function joins(change: Change, batch: readonly Change[], isNeeded: (unit: string) => boolean): boolean {
  const is = (...kinds: readonly Change["kind"][]): boolean => batch.every(({ kind }) => kinds.includes(kind));
  switch (change.kind) {
    case "write-file":
      return is("write-file");
    case "enable-unit":
      return is("reload-systemd", "enable-unit");
    case "start-unit":
      return is("start-unit") && !batch.some((earlier) => earlier.kind === "start-unit" && isNeeded(earlier.unit));
    case "remove-file":
    case "write-block":
    case "remove-block":
    case "create-array":
    case "assemble-array":
    case "make-file-system":
    case "mount":
    case "stop-unit":
    case "copy-directory":
    case "reload-systemd":
    case "restart-unit":
      return false;
  }
}
