import type { Change } from "../plan/plan.ts";
import type { Finding } from "../preflight/finding.ts";

/**
 * The run in one sentence: "9 files would be written, containerd and kubelet would be restarted."
 *
 * @param auxiliary "would" for a run that only shows, "will" for one that goes on
 */
export function showSummary(changes: readonly Change[], findings: readonly Finding[], auxiliary: "would" | "will"): string {
  const errors = findings.filter(({ severity }) => severity === "error").length;
  if (errors > 0) return `${plural(errors, "error")}: kubelet would not run like this, so nothing ${auxiliary} be changed.`;
  const clauses = CLAUSES.flatMap(([subject, verb]) => {
    const what = subject(changes);
    return what === undefined ? [] : [`${what} ${auxiliary} ${verb}`];
  });
  return clauses.length === 0 ? "No changes." : `${clauses.join(", ")}.`;
}

/** "1 file", "2 files" */
export function plural(count: number, noun: string): string {
  return `${count} ${noun}${count === 1 ? "" : "s"}`;
}

type Subject = (changes: readonly Change[]) => string | undefined;

const CLAUSES: readonly (readonly [subject: Subject, verb: string])[] = [
  [formatted, "be formatted"],
  [moved, "be put on local disks"],
  [files("write-file"), "be written"],
  [files("remove-file"), "be removed"],
  [blocks("write-block"), "be updated"],
  [blocks("remove-block"), "be cleaned"],
  [reloadAlone, "read its unit files again"],
  [enabledAlone, "be enabled"],
  [units("start-unit"), "be started"],
  [units("restart-unit"), "be restarted"],
];

/** Each disk, where they are parts of an array too. */
function formatted(changes: readonly Change[]): string | undefined {
  const created = changes.flatMap((change) => (change.kind === "create-array" ? change.devices : []));
  const single = changes.flatMap((change) => (change.kind === "make-file-system" ? [change.device] : []));
  return list(created.length > 0 ? created : single);
}

function moved(changes: readonly Change[]): string | undefined {
  return list(changes.flatMap((change) => (change.kind === "copy-directory" ? [change.from] : [])));
}

function files(kind: Change["kind"]): Subject {
  return (changes) => {
    const count = changes.filter((change) => change.kind === kind).length;
    return count === 0 ? undefined : plural(count, "file");
  };
}

/** "/etc/hosts" */
function blocks(kind: "write-block" | "remove-block"): Subject {
  return (changes) => list(changes.flatMap((change) => (change.kind !== kind ? [] : [change.kind === "write-block" ? change.block.path : change.path])));
}

function units(kind: "start-unit" | "restart-unit"): Subject {
  return (changes) => list(changes.flatMap((change) => (change.kind === kind ? [change.unit] : [])));
}

/** Reloading goes without saying where files are written or units are started. */
function reloadAlone(changes: readonly Change[]): string | undefined {
  return changes.length > 0 && changes.every(({ kind }) => kind === "reload-systemd") ? "systemd" : undefined;
}

/** So does enabling a unit that is started. */
function enabledAlone(changes: readonly Change[]): string | undefined {
  const started = changes.flatMap((change) => (change.kind === "start-unit" || change.kind === "restart-unit" || change.kind === "mount" ? [change.unit] : []));
  return list(changes.flatMap((change) => (change.kind === "enable-unit" && !started.includes(change.unit) ? [change.unit] : [])));
}

/** "a, b and c", without the ending that all services have; undefined for none. */
function list(names: readonly string[]): string | undefined {
  const short = names.map((name) => name.replace(/\.service$/, ""));
  if (short.length < 2) return short[0];
  return `${short.slice(0, -1).join(", ")} and ${short.at(-1) ?? ""}`;
}
