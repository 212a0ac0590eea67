import { readFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, test } from "vitest";
import { ROOT } from "../../packaging/project.ts";
import { ratioOf } from "./aws-cli.ts";
import { readInstructions, readSystemCalls } from "./counts.ts";
import { withFleetSummary } from "./fleet/summary.ts";
import { showPage, showReport } from "./page.ts";
import type { Report } from "./report.ts";

const took = (wallMs: number): { readonly wallMs: number; readonly cpuMs: number; readonly peakMiB: number } => ({ wallMs, cpuMs: wallMs * 2, peakMiB: 50 });

const WITHOUT_TOOLS: Report = {
  runs: 3,
  node: "v24.0.0",
  arch: "x64",
  empty: took(40),
  results: [
    { ...took(60), name: "token", requests: 0, depth: 0, inFlight: 0 },
    { ...took(300), name: "endpoint given", latency: { imdsMs: 2, awsMs: 80 }, requests: 9, depth: 4, inFlight: 5 },
  ],
  counts: [{ name: "token", systemCalls: undefined, instructions: undefined }],
  awsCli: undefined,
  sizes: { executable: 113_838_912, node: 126_891_984, baseNode: 108_712_632, code: 2_425_580, addons: 33_008, caches: 2_667_692, rpm: undefined },
};

const WITH_TOOLS: Report = {
  ...WITHOUT_TOOLS,
  counts: [{ name: "token", systemCalls: 940, instructions: 187_400_000 }],
  awsCli: {
    version: "aws-cli/2.9.19",
    rows: [
      { ...took(600), name: "aws eks get-token" },
      { ...took(60), name: "eks-node-agent token" },
      { ...took(700), name: "aws eks describe-cluster" },
      { ...took(200), name: "eks-node-agent facts" },
    ],
  },
  sizes: { ...WITHOUT_TOOLS.sizes, rpm: 35_656_455 },
};

const FLEET = readFileSync(join(ROOT, "docs/fleet.md"), "utf8");

/** Without the spaces that align it. */
const linesOf = (text: string): readonly string[] => text.split("\n").map((line) => line.trimEnd().replace(/ {2,}/g, " | "));

describe("showReport()", () => {
  test("shows times, counts, the AWS CLI and sizes", () => {
    expect(linesOf(showReport(WITH_TOOLS))).toEqual([
      "Median of 3 runs, v24.0.0 on x64",
      "scenario | IMDS/AWS ms | wall ms | CPU ms | peak MiB | CPU/empty | requests | depth | at once",
      "nothing at all | 40 | 80 | 50 | 1.0",
      "token | 60 | 120 | 50 | 1.5 | 0 | 0 | 0",
      "endpoint given | 2/80 | 300 | 600 | 50 | 7.5 | 9 | 4 | 5",
      "",
      "scenario | system calls | million instructions",
      "token | 940 | 187",
      "",
      "command | wall ms | CPU ms | peak MiB",
      "`aws eks get-token` | 600 | 1200 | 50",
      "`eks-node-agent token` | 60 | 120 | 50",
      "`aws eks describe-cluster` | 700 | 1400 | 50",
      "`eks-node-agent facts` | 200 | 400 | 50",
      "",
      " | bytes",
      "executable | 113,838,912",
      "of it Node.js | 108,712,632",
      "of it V8's code for the agent | 2,667,692",
      "of it JavaScript | 2,425,580",
      "of it compiled addons | 33,008",
      "RPM | 35,656,455",
      "for comparison: Node.js as it comes | 126,891,984",
      "",
    ]);
  });

  test("leaves out what there was no tool for", () => {
    const lines = linesOf(showReport(WITHOUT_TOOLS));
    expect(lines.slice(6, 9)).toEqual(["scenario | system calls | million instructions", "token", ""]);
    expect(lines.filter((line) => /^(`aws|RPM)/.test(line))).toEqual([]);
  });
});

describe("showPage()", () => {
  const page = showPage(WITH_TOOLS, FLEET);

  test("says how much faster than the AWS CLI it is", () => {
    expect(page).toContain("`token` is 10.0 times as fast as `aws eks get-token`");
    expect(page).toContain("is 3.5 times as fast as `aws eks describe-cluster`");
    expect(showPage(WITHOUT_TOOLS, FLEET)).toContain("## Beside the AWS CLI\n\nThere was none where this was measured.\n\n## How large it is\n");
  });

  test("has docs/fleet.md's part where `npm run fleet -- --write` puts it", () => {
    expect(withFleetSummary(page, FLEET)).toBe(page);
  });

  test("has one empty line between any two paragraphs", () => {
    expect(page).not.toMatch(/\n\n\n/);
    expect(page).not.toMatch(/[^\n]\n## /);
  });
});

test("ratioOf() is how many times as long the first takes", () => {
  expect(WITH_TOOLS.awsCli && ratioOf(WITH_TOOLS.awsCli, "aws eks get-token", "eks-node-agent token")).toBe(10);
});

test("readSystemCalls() takes strace's total", () => {
  const summary = "syscall                calls\n------------------ ---------\nfutex                    132\nmmap                     109\n------------------ ---------\ntotal                    909\n";
  expect(readSystemCalls(summary)).toBe(909);
  expect(() => readSystemCalls("")).toThrow("strace says no total");
});

test("readInstructions() takes callgrind's count", () => {
  expect(readInstructions("==7== Events    : Ir\n==7== Collected : 129784545\n==7== \n==7== I   refs:      129,784,545\n")).toBe(129_784_545);
  expect(() => readInstructions("Killed\n")).toThrow("valgrind says nothing of instructions:\nKilled");
});
