import { describe, expect, it } from "vitest";
import { assignmentOf, bareText, expandText, expandWord, literalWord, readShellWord, type ShellWord } from "../../src/lib/shell-words.ts";

const VARIABLES: Readonly<Record<string, string>> = { NAME: "demo", TWO: " a  b ", NOTHING: "", QUOTES: `'x' "y" \\z`, LABELS: "a=b,c=d" };
const lookup = (name: string): string | undefined => VARIABLES[name];

function word(text: string): ShellWord {
  return readShellWord(text, 0).word;
}

describe("a word as the arguments that bash makes of it", () => {
  it.each<[string, readonly string[] | undefined, string]>([
    ["my-cluster", ["my-cluster"], "as it is"],
    ["--a=b", ["--a=b"], "no assignment: a dash"],
    ["'--node-labels=a=b --x'", ["--node-labels=a=b --x"], "single quotes keep all"],
    [`'$NAME \\ "x"'`, [`$NAME \\ "x"`], "and everything in them is a letter"],
    [`"a b"`, ["a b"], "double quotes keep spaces"],
    [`"$NAME-x \${NAME}"`, ["demo-x demo"], "and expand variables"],
    [`"\\$NAME \\" \\\\ \\\`"`, [`$NAME " \\ \``], "in which a backslash takes these"],
    [`"\\n\\x"`, ["\\n\\x"], "and no others"],
    [`a\\ b\\'c`, ["a b'c"], "a backslash takes the next character"],
    ["a\\\nb", ["ab"], "a line that goes on"],
    [`"a\\\nb"`, ["ab"], "in quotes, too"],
    [`"a\\\r\nb"`, ["ab"], "with the line ends of Windows"],
    [`--x='a b'"$NAME"c`, ["--x=a bdemoc"], "quotes within a word"],
    ["''", [""], "nothing in quotes is an argument"],
    [`""`, [""], "nothing in quotes is an argument"],
    ["$NOTHING", [], "and without them none"],
    [`"$NOTHING"`, [""], "an empty variable in quotes"],
    ["$TWO", ["a", "b"], "without quotes, a variable is split"],
    ["x${TWO}y", ["x", "a", "b", "y"], "and what stands beside it goes to the ends"],
    [`"$TWO"`, [" a  b "], "with quotes it is not"],
    ["$QUOTES", [`'x'`, `"y"`, "\\z"], "quotes from a variable are letters"],
    ["--x=$LABELS", ["--x=a=b,c=d"], "an equals sign splits nothing"],
    ["$", ["$"], "a dollar by itself"],
    [`"5$"`, ["5$"], "a dollar by itself"],
    ["100%%", ["100%%"], "a percent sign is nothing special"],
    ["{a}", ["{a}"], "braces without a comma"],
    [`'{"a":1,"b":2}'`, [`{"a":1,"b":2}`], "JSON in quotes"],
    ["$UNKNOWN", undefined, "nobody knows it"],
    ["x$(hostname)y", undefined, "the output of a command"],
    [`"$(a "$(b ')')" c)"`, undefined, "with brackets and quotes in it"],
    ["`hostname -f`", undefined, "in the old way"],
    ["$((1 + 2))", undefined, "arithmetic"],
    ["${NAME:-other}", undefined, "an expansion with an operator"],
    ["$1", undefined, "an argument of the script"],
    ["$@", undefined, "all of them"],
    ["$'a\\n'", undefined, "bash's own quotes"],
    ["<(cat)", undefined, "a command as a file"],
    [`{"a":1,"b":2}`, undefined, "braces with a comma are several words to bash"],
    ["{1..3}", undefined, "as is a range"],
    ["'open", undefined, "a quote that nothing closes"],
    [`"open`, undefined, "a quote that nothing closes"],
  ])("%s → %j (%s)", (text, expanded) => {
    expect(expandWord(word(text), lookup)).toEqual(expanded);
  });
});

it.each<[string, string]>([
  ["a b", "a"],
  ["a;b", "a"],
  ["a>b", "a"],
  ["a#b c", "a#b"],
  ["$(a b)c d", "$(a b)c"],
  ["${A:-b c} d", "${A:-b c}"],
  ["`a b` d", "`a b`"],
  [`"a b"'c d'\\ e f`, `"a b"'c d'\\ e`],
  ["A=(b c) d", "A=(b c)"],
])("the word that %j begins with is %j", (script, text) => {
  expect(readShellWord(script, 0)).toMatchObject({ word: { text }, end: text.length });
});

it.each<[string, unknown]>([
  ["A=b", { name: "A", isAppended: false, value: "b" }],
  ["A='b c'$NAME", { name: "A", isAppended: false, value: "b cdemo" }],
  ["A=$TWO", { name: "A", isAppended: false, value: " a  b " }],
  ["A=", { name: "A", isAppended: false, value: "" }],
  ["A+=b", { name: "A", isAppended: true, value: "b" }],
  ["A=$(b)", { name: "A", isAppended: false, value: undefined }],
  ["A=(b c)", { name: "A", isAppended: false, value: undefined }],
  ["--a=b", undefined],
  ["'A'=b", undefined],
  ["1=b", undefined],
])("assignment %s: %j", (text, expected) => {
  const assignment = assignmentOf(word(text));
  expect(assignment && { ...assignment, value: expandText(assignment.value, lookup) }).toEqual(expected);
});

it.each([["then", "then"], ["'then'", undefined], ["th$NAME", undefined]])("keyword %s: %j", (text, bare) => {
  expect(bareText(word(text))).toBe(bare);
});

it("a literal word is its text, whatever is in it", () => {
  expect(expandWord(literalWord("$(a) 'b' *"), lookup)).toEqual(["$(a) 'b' *"]);
});
