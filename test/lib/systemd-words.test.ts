import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { quoteArguments, unitFileFault } from "../../src/lib/systemd-quote.ts";
import { splitWords, undoublePercents } from "../../src/lib/systemd-words.ts";

const OPEN_DOUBLE = 'The quote " is opened and not closed: all that follows it is one argument.';
const OPEN_SINGLE = "The quote ' is opened and not closed: all that follows it is one argument.";
const BACKSLASH = "The backslash at the end is dropped: there is nothing for it to take.";

describe("splitWords() splits as systemd does", () => {
  it.each([
    ["", [], "nothing"],
    ["  \t\n ", [], "white space only"],
    ["--a=b --c", ["--a=b", "--c"], "white space separates"],
    [" --a=b \r\n\t--c\n", ["--a=b", "--c"], "any amount of any white space"],
    ["--a='b c' --d", ["--a=b c", "--d"], "single quotes keep it"],
    ['--a="b c"', ["--a=b c"], "so do double quotes"],
    [`a"b 'c"d'e "f'`, ["ab 'cde \"f"], "a quote in the other kind is a letter"],
    [`--a="" '' b`, ["--a=", "", "b"], "quotes make an empty word"],
    ["a\\ b \\' \\\"", ["a b", "'", '"'], "a backslash takes the next character"],
    [`'a\\'b' "c\\"d" "e\\nf"`, ["a'b", 'c"d', "enf"], "in quotes of both kinds, and there is no \\n"],
    ["a\\\\ b", ["a\\", "b"], "a backslash takes a backslash"],
    ["--eviction-hard=memory.available<5%,nodefs.available<10%", ["--eviction-hard=memory.available<5%,nodefs.available<10%"], "< and % are letters"],
    ["a;b #c $HOME * > ~ `d` %n", ["a;b", "#c", "$HOME", "*", ">", "~", "`d`", "%n"], "so is all that is special to a shell"],
    ["ä\u00a0b", ["ä\u00a0b"], "white space is ASCII white space"],
  ])("%j -> %j (%s)", (text, words) => {
    expect(splitWords(text)).toEqual({ words, remarks: [] });
  });
});

describe("splitWords() puts up with what systemd puts up with, and says so", () => {
  it.each([
    ['--a="b c --d', ["--a=b c --d"], [OPEN_DOUBLE]],
    ['--a=b"', ["--a=b"], [OPEN_DOUBLE]],
    ["it's", ["its"], [OPEN_SINGLE]],
    ["--a=b\\", ["--a=b"], [BACKSLASH]],
    ["--a \\", ["--a"], [BACKSLASH]],
    ["'a \\", ["a "], [BACKSLASH, OPEN_SINGLE]],
  ])("%j", (text, words, remarks) => {
    expect(splitWords(text)).toEqual({ words, remarks });
  });
});

describe("splitWords() refuses what no unit file can carry", () => {
  it.each([
    ['--a="b\nc"', 'Cannot pass on "--a=b\\nc" to kubelet: it contains a line break (U+000A), which systemd refuses'],
    ["--ok --a=\u0007", 'Cannot pass on "--a=\\u0007" to kubelet: it contains a control character (U+0007), which systemd refuses'],
    ["\ud800", 'Cannot pass on "\\ud800" to kubelet: it contains a character that UTF-8 text must not have (U+D800), which systemd refuses'],
  ])("%j", (text, problem) => {
    expect(splitWords(text)).toEqual({ problem });
  });
});

describe("undoublePercents()", () => {
  it.each([
    ["--a=5%%,b=10%", "--a=5%,b=10%", true],
    ["--a=5%", "--a=5%", false],
    ["%%%%", "%%", true],
  ])("%s -> %s", (text, undoubled, wasDoubled) => {
    expect(undoublePercents(text)).toEqual({ text: undoubled, wasDoubled });
  });
});

it("splitWords() is the inverse of quoteArguments() for every argument that a unit file can carry", () => {
  const argument = fc.string({ unit: fc.constantFrom(..."ab-=,%<\\'\" \t$;ü".split("")) }).filter((text) => unitFileFault(text) === undefined);
  fc.assert(fc.property(fc.array(argument), (args) => {
    expect(splitWords(quoteArguments(args))).toEqual({ words: args, remarks: [] });
  }));
});
