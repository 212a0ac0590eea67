import { describe, expect, test } from "vitest";
import { parseCommandLine } from "../../src/cli/flags.ts";
import { report } from "../../src/cli/report.ts";
import { showLastRun } from "../../src/cli/show-last-run.ts";
import { AgentError } from "../../src/errors.ts";
import { printJson } from "../../src/lib/json.ts";
import type { LastRun } from "../../src/report/last-run.ts";
import { showTimeline } from "../../src/report/timeline.ts";
import { type Entry, withTree } from "../gather/tree.ts";
import { DONE, FAILED, STOPPED } from "../report/runs.ts";

const RUNS: readonly (readonly [name: string, run: LastRun])[] = [["done", DONE], ["failed", FAILED], ["stopped", STOPPED]];

describe("the text", () => {
  test.each(RUNS)("of a run that was %s is the one that was read and found good", async (name, run) => {
    await expect(showLastRun(run, { colour: false })).toMatchFileSnapshot(`report/${name}.txt`);
  });

  test.each(RUNS)("of a run that was %s fits 80 columns but for lines of others, with nothing at the ends of lines", (_name, run) => {
    const foreign = run.result.kind === "failed" ? run.result.lines : [];
    const lines = showLastRun(run, { colour: false }).split("\n").filter((line) => !foreign.includes(line.trim()));
    expect(lines.filter((line) => line.length > 80 || line.endsWith(" "))).toEqual([]);
  });

  test("is coloured by line where colour is wanted", () => {
    const lines = showLastRun(FAILED, { colour: true }).split("\n");
    expect(lines.filter((line) => line.includes("\u001b[1;31m")).map((line) => line.replaceAll(/\u001b\[[\d;]*m/g, "").trim())).toEqual([
      "applying the changes                            failed                  4.230s",
      "ec2  DescribeInstanceTypes                      403                       80ms",
      "/usr/bin/containerd --version                   failed                 10.000s",
      "it did not end within 10 s",
      "restart containerd.service                      failed                  4.170s",
      "failed after 1min 35.250s: unit-not-up, exit status 69",
    ]);
  });

  test("does nothing to a terminal but show", () => {
    const run: LastRun = { ...DONE, notes: [{ code: "a", message: "\u001b[2Jgone \u202ethgir" }] };
    expect(showLastRun(run, { colour: false })).toContain("\nNotes\n  a: \\u{1b}[2Jgone \\u{202e}thgir\n");
  });
});

const PATH = "/var/lib/eks-node-agent/last-run.json";
const FILE = printJson(FAILED);

type Reported = { readonly printed: string } | { readonly code: string; readonly exitStatus: number; readonly message: string; readonly lines: readonly string[]; readonly remedy: string };

/** What is printed, or the error, with "~" for the root. */
async function run(words: readonly string[], files: Readonly<Record<string, Entry>>): Promise<Reported> {
  return withTree(files, async (root) => {
    const command = await parseCommandLine(["report", ...words.map((word) => word.replace("~", root))], {});
    if (command.kind !== "report") throw new Error(`expected report, got ${command.kind}`);
    let printed = "";
    try {
      expect(await report(command.flags, { print: (text) => void (printed += String(text)), colour: false })).toBe(0);
      return { printed };
    } catch (error) {
      if (!(error instanceof AgentError)) throw error;
      const { code, exitStatus, message, lines, remedy } = error;
      return { code, exitStatus, message: message.replaceAll(root, "~"), lines, remedy };
    }
  });
}

describe("report", () => {
  const GOOD: readonly (readonly [why: string, words: readonly string[], files: Readonly<Record<string, Entry>>, printed: string])[] = [
    ["the machine's last run as text", ["--root", "~"], { [PATH]: FILE }, showLastRun(FAILED, { colour: false })],
    ["as text on demand", ["--root=~", "--output", "text"], { [PATH]: FILE }, showLastRun(FAILED, { colour: false })],
    ["as a drawing", ["--root", "~", "--output", "svg"], { [PATH]: FILE }, showTimeline(FAILED)],
    ["as it was written", ["--root", "~", "--output", "json"], { [PATH]: JSON.stringify(FAILED) }, JSON.stringify(FAILED)],
    ["a file that is named", ["~/other.json"], { [PATH]: FILE, "/other.json": JSON.stringify(DONE) }, showLastRun(DONE, { colour: false })],
  ];
  test.each(GOOD)("shows %s", async (_why, words, files, printed) => {
    expect(await run(words, files)).toEqual({ printed });
  });

  const NO_RUN = {
    code: "no-last-run",
    exitStatus: 66,
    message: `There is no run to report: ~${PATH} does not exist`,
    lines: [],
    remedy: "It is written by every bootstrap that is no dry run. Whether one was tried: journalctl -u eks-node-agent, and the log of cloud-init.",
  };
  const BROKEN = { code: "last-run-broken", exitStatus: 65, lines: [], remedy: "The next bootstrap writes it anew. What the log says of the last one: journalctl -u eks-node-agent." };
  const UNREADABLE = { code: "source-unreadable", exitStatus: 77, lines: [], remedy: "Correct the path." };
  const BAD: readonly (readonly [why: string, words: readonly string[], files: Readonly<Record<string, Entry>>, error: Reported])[] = [
    ["no run yet", ["--root", "~"], {}, NO_RUN],
    ["no such file", ["~/other.json"], { [PATH]: FILE }, { ...UNREADABLE, message: "Cannot read ~/other.json: there is no such file" }],
    ["a folder", ["~/a"], { "/a/b": "" }, { ...UNREADABLE, message: "Cannot read ~/a: it is a directory" }],
    ["a file in a file", ["~/a/b"], { "/a": "" }, { ...UNREADABLE, message: "Cannot read ~/a/b: a part of the path is no directory" }],
    ["an empty file", ["--root", "~"], { [PATH]: "" }, { ...BROKEN, message: `Cannot use ~${PATH} as the record of a run: it is not JSON: Unexpected end of JSON input` }],
    [
      "another JSON",
      ["--root", "~", "--output", "json"],
      { [PATH]: '{"result": {"kind": "done"}}' },
      {
        ...BROKEN,
        message: `Cannot use ~${PATH} as the record of a run: 13 things in it are wrong`,
        lines: [
          ...["version", "startedAt", "durationMs", "inputs", "node", "phases", "requests", "retries", "commands", "changes", "notes", "findings"].map((name) => `${name} is missing`),
          "result.exitStatus is missing",
        ],
      },
    ],
  ];
  test.each(BAD)("says what is wrong: %s", async (_why, words, files, error) => {
    expect(await run(words, files)).toEqual(error);
  });

  test.each([
    [["a.json", "b.json"], /^"b\.json" is one word too many: the file is ".*a\.json" already$/],
    [["--output", "yaml"], /^Cannot use "yaml" as --output: expected text, json or svg$/],
    [["--dry-run"], /^--dry-run is no option of report$/],
  ])("refuses %j", async (words, message) => {
    const refused = parseCommandLine(["report", ...words], {});
    await expect(refused).rejects.toThrow(message);
    await expect(refused).rejects.toThrow(expect.objectContaining({ code: "usage" }));
  });

  test.each([["bootstrap"], ["check"]])("svg is no format of %s", async (command) => {
    await expect(parseCommandLine([command, "--output", "svg"], {})).rejects.toThrow(expect.objectContaining({ code: "usage", message: 'Cannot use "svg" as --output: expected text or json' }));
  });
});
