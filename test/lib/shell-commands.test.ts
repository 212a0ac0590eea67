import { describe, expect, it } from "vitest";
import { readShellCommands } from "../../src/lib/shell-commands.ts";

/** "line after word|word" of each command; brackets are only what they come after. */
function shown(script: string): readonly string[] {
  return readShellCommands(script).map(({ line, after, words }) => [line, after, words.map(({ text }) => text).join("|")].filter((part) => part !== "").join(" "));
}

describe("the commands of a script", () => {
  it.each<[string, readonly string[], string]>([
    ["a b\nc\n", ["1 a|b", "2 c"], "one a line"],
    ["a; b && c || d | e &", ["1 a", "1 b", "1 && c", "1 || d", "1 | e"], "more on a line"],
    ["a \\\n  --b \\\n  c\nd", ["1 a|--b|c", "4 d"], "lines that go on"],
    ["a \\\r\n  b\r\nc\r\n", ["1 a|b", "3 c"], "the line ends of Windows"],
    ["#!/bin/bash\n# a b\n\na # b\nb#c", ["4 a", "5 b#c"], "comments"],
    ["a 'b;c' \"d && e\"", [`1 a|'b;c'|"d && e"`], "quoted separators"],
    ["a 'b\nc'\nd", ["1 a|'b\nc'", "3 d"], "line breaks in quotes"],
    ["a > b 2>&1 < c >>d &> e f", ["1 a|f"], "redirections are no words"],
    ["a >b<c d", ["1 a|d"], "with and without a space"],
    ["exec > >(tee x) 2>&1", ["1 exec"], "a command as the target"],
    ["cat <<END > x\n/etc/eks/bootstrap.sh no\nEND\nb", ["1 cat", "4 b"], "a here-document is not run"],
    ["cat <<'E 1' <<-E2\na\nE 1\n\tb\n\tE2\nc", ["1 cat", "6 c"], "two of them, one with tabs"],
    ["cat <<END\na", ["1 cat"], "one that nothing ends"],
    ["a <<<'b c' d", ["1 a|d"], "a here-string"],
    ["(a; b)\nc", ["1 (", "1 a", "1 b", "1 )", "2 c"], "brackets"],
    ["if a; then\n  b\nfi", ["1 if|a", "1 then", "2 b", "3 fi"], "keywords are words"],
    ["x) a ;;\ny) b ;&", ["1 x", "1 )", "1 a", "2 y", "2 )", "2 b"], "patterns of case"],
    ["", [], "nothing"],
    ["  \n\n", [], "nothing"],
    ["a 'b", ["1 a|'b"], "a quote that nothing closes"],
  ])("%j: %j (%s)", (script, commands) => {
    expect(shown(script)).toEqual(commands);
  });
});

it("the text of a command is as it is written", () => {
  expect(readShellCommands("  FOO=bar  a \\\n   'b'  > c # d\n").map(({ text }) => text)).toEqual(["FOO=bar  a \\\n   'b'  > c # d"]);
});

it("a script of a megabyte is read in time", () => {
  const script = `${"a 'b' \"c $d\" > e\n".repeat(60_000)}`;
  expect(readShellCommands(script).length).toBe(60_000);
});
