// `node .ci/summary.mjs FILE`: sums up what Vitest's JSON reporter wrote as "N passed, N failed".
import { existsSync, readFileSync } from "node:fs";

const [file] = process.argv.slice(2);
const { numPassedTests, failed, skipped } = existsSync(file) ? summarise(JSON.parse(readFileSync(file, "utf8"))) : unfinished();
if (skipped > 0) console.log(`${skipped} skipped`);
console.log(`${numPassedTests} passed, ${failed} failed`);
process.exitCode = failed === 0 ? 0 : 1;

/** A file that cannot be loaded has no tests in the report, and is one failure. So is an error outside of any test. */
function summarise(report) {
  const unloaded = report.testResults.filter(({ status, assertionResults }) => status === "failed" && !assertionResults.some((test) => test.status === "failed"));
  const counted = report.numFailedTests + unloaded.length;
  return { ...report, failed: counted === 0 && !report.success ? 1 : counted, skipped: report.numPendingTests + report.numTodoTests };
}

function unfinished() {
  console.log("The tests did not run to their end.");
  return { numPassedTests: 0, failed: 1, skipped: 0 };
}
