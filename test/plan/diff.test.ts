import { describe, expect, it } from "vitest";
import { compare } from "../../src/plan/compare.ts";
import { diffFile } from "../../src/plan/diff.ts";
import type { ObservedFile, PlannedFile } from "../../src/plan/plan.ts";
import { file, found, observed, plan } from "./plans.ts";

/** The diff of one planned file against what is there. */
function diff(planned: PlannedFile, before: ObservedFile): string {
  return compare(plan([planned]), observed({ [planned.path]: before })).files.map((each) => diffFile(each)).join("");
}

const lines = Array.from({ length: 12 }, (_, index) => `line ${index + 1}`);
const text = file("/etc/text", `${lines.join("\n")}\n`);
const json = file("/etc/v.json", '{\n  "a": 1,\n  "b": 2\n}\n');

describe("diffFile()", () => {
  it.each([
    ["a file that stays", text, found(text.contents), ""],
    ["a JSON file that stays, in another layout", json, found('{"a":1,"b":2}'), ""],
    ["a new file", file("/etc/a", "a\nb\n"), { kind: "absent" }, "--- /dev/null\n+++ /etc/a\n@@ -0,0 +1,2 @@\n+a\n+b\n"],
    [
      "a changed line, with three lines of context",
      text,
      found(text.contents.replace("line 6", "line six")),
      "--- /etc/text\n+++ /etc/text\n@@ -3,7 +3,7 @@\n line 3\n line 4\n line 5\n-line six\n+line 6\n line 7\n line 8\n line 9\n",
    ],
    ["JSON, laid out alike", json, found('{"a":1,"b":3}'), '--- /etc/v.json\n+++ /etc/v.json\n@@ -1,4 +1,4 @@\n {\n   "a": 1,\n-  "b": 3\n+  "b": 2\n }\n'],
    ["what was no JSON", json, found("{"), '--- /etc/v.json\n+++ /etc/v.json\n@@ -1,1 +1,4 @@\n-{\n\\ No newline at end of file\n+{\n+  "a": 1,\n+  "b": 2\n+}\n'],
    ["a mode and an owner alone", text, found(text.contents, { mode: 0o600, uid: 5, gid: 6 }), "mode 0600, planned 0644\nowner 5:6, planned 0:0\n"],
    ["a symbolic link", file("/etc/a", "a\n"), { kind: "symlink", target: "/b" }, "symbolic link to /b\n--- /dev/null\n+++ /etc/a\n@@ -0,0 +1,1 @@\n+a\n"],
    ["a socket", file("/etc/a", "a\n"), { kind: "other", what: "socket" }, "socket\n--- /dev/null\n+++ /etc/a\n@@ -0,0 +1,1 @@\n+a\n"],
    ["what cannot be read", file("/etc/a", "a\n"), { kind: "unreadable" }, "cannot be read\n--- /dev/null\n+++ /etc/a\n@@ -0,0 +1,1 @@\n+a\n"],
    ["a secret", file("/etc/a", "password\n", { isSecret: true }), found("old password\n"), "--- /etc/a\n+++ /etc/a\n<redacted>\n"],
  ] as const)("of %s", (_what, planned, before, expected) => {
    expect(diff(planned, before)).toBe(expected);
  });

  it("does not show a file that is removed, which may have held a secret", () => {
    const { files } = compare(plan([]), observed({ "/etc/old": found("password") }, [], { files: { "/etc/old": "sha256:1" } }));
    expect(files.map((each) => diffFile(each))).toEqual([""]);
  });

  it("says so where thousands of lines differ", () => {
    const numbers = (from: number) => `${Array.from({ length: 3000 }, (_, index) => from + index).join("\n")}\n`;
    expect(diff(file("/etc/a", numbers(0)), found(numbers(5000)))).toBe("--- /etc/a\n+++ /etc/a\nmore than 2000 lines differ\n");
  });
});
