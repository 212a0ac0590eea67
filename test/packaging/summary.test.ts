import { spawnSync } from "node:child_process";
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { expect, test } from "vitest";

const passed = { status: "passed", assertionResults: [{ status: "passed" }] };
const failed = { status: "failed", assertionResults: [{ status: "failed" }, { status: "passed" }] };
const unloaded = { status: "failed", assertionResults: [] };
const counts = { numPassedTests: 3, numFailedTests: 0, numPendingTests: 0, numTodoTests: 0 };

test.each([
  ["all passed", { ...counts, success: true, testResults: [passed] }, "3 passed, 0 failed\n", 0],
  ["skipped tests are told, and are no failures", { ...counts, numPendingTests: 2, success: true, testResults: [passed] }, "2 skipped\n3 passed, 0 failed\n", 0],
  ["a failed test", { ...counts, numFailedTests: 1, success: false, testResults: [passed, failed] }, "3 passed, 1 failed\n", 1],
  ["a file that could not be loaded counts as one", { ...counts, numFailedTests: 1, success: false, testResults: [failed, unloaded] }, "3 passed, 2 failed\n", 1],
  ["an error outside of the tests counts as one", { ...counts, success: false, testResults: [passed] }, "3 passed, 1 failed\n", 1],
  ["no report", undefined, "The tests did not run to their end.\n0 passed, 1 failed\n", 1],
])("%s", (_why, report, stdout, status) => {
  const folder = mkdtempSync(join(tmpdir(), "summary-"));
  const file = join(folder, "tests.json");
  if (report !== undefined) writeFileSync(file, JSON.stringify(report));
  const result = spawnSync(process.execPath, [".ci/summary.mjs", file], { encoding: "utf8" });
  rmSync(folder, { recursive: true });
  expect({ stdout: result.stdout, stderr: result.stderr, status: result.status }).toEqual({ stdout, stderr: "", status });
});
