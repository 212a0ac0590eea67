import { expect, test } from "vitest";
import { inBatches } from "../../src/apply/batches.ts";
import type { Change } from "../../src/plan/plan.ts";
import { DISK_STEPS } from "../cli/disk-steps.ts";
import { file } from "../plan/plans.ts";

const write = (path: string): Change => ({ kind: "write-file", file: file(path, ""), before: { kind: "absent" }, isDrift: false });
const remove = (path: string): Change => ({ kind: "remove-file", path, before: { kind: "absent" }, isUnitFile: false });
const reload: Change = { kind: "reload-systemd", reason: "" };
const enable = (unit: string): Change => ({ kind: "enable-unit", unit });
const start = (unit: string): Change => ({ kind: "start-unit", unit, digest: "", resetFailed: false, reason: "" });
const restart = (unit: string): Change => ({ kind: "restart-unit", unit, digest: "", reason: "" });

test.each<[string, readonly Change[], readonly number[]]>([
  ["no steps", [], []],
  ["writes together", [write("/a"), write("/b"), write("/c")], [3]],
  ["removals each by itself", [write("/a"), remove("/b"), remove("/c")], [1, 1, 1]],
  ["enabling with the reload that it ends with", [reload, enable("a"), enable("b")], [3]],
  ["enabling without one", [enable("a"), enable("b")], [2]],
  ["a reload alone", [write("/a"), reload, start("a")], [1, 1, 1]],
  ["starts together of which none needs the one before", [start("spare"), start("other spare"), start("a")], [3]],
  ["a start by itself of what the next one needs", [start("needed"), start("spare"), start("a")], [1, 2]],
  ["restarts each by itself", [restart("spare"), restart("a"), start("b")], [1, 1, 1]],
  ["steps about disks each by itself, and what comes before and after apart", [write("/a"), reload, enable("x.mount"), ...DISK_STEPS, write("/b"), reload, enable("a"), start("a")], [1, 2, ...DISK_STEPS.map(() => 1), 1, 2, 1]],
  ["all of a first run", [write("/a"), write("/b"), reload, enable("a"), enable("b"), start("needed"), start("spare"), start("a")], [2, 3, 1, 2]],
])("%s", (_, changes, expected) => {
  const batches = inBatches(changes, (unit) => unit === "needed");
  expect(batches.map(({ length }) => length)).toEqual(expected);
  expect(batches.flat()).toEqual(changes);
});
