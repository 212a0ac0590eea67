import { describe, expect, it } from "vitest";
import { AgentError } from "../../src/errors.ts";
import { environmentLine, quoteArguments, unitFileFault } from "../../src/lib/systemd-quote.ts";

const REMEDY = "Remove the character: systemd would ignore the whole setting without an error.";

describe("quoteArguments() leaves plain words alone and quotes the rest", () => {
  it.each([
    [["--v=2", "--node-labels=a.b/c=d,e=f"], "--v=2 --node-labels=a.b/c=d,e=f", "the usual flags need no quotes"],
    [["--eviction-hard=memory.available<5%"], "--eviction-hard=memory.available<5%", "< and % mean nothing to the splitter"],
    [["--a=$HOME", "--b=x+y@z:1>2"], "--a=$HOME --b=x+y@z:1>2", "a value is not expanded a second time"],
    [["a b"], '"a b"', "a space would end the word"],
    [["a\tb"], '"a\tb"', "so would a tab"],
    [[""], '""', "an empty argument is an argument"],
    [['{"a":1}'], '"{\\"a\\":1}"', "double quotes are escaped in double quotes"],
    [["it's"], `"it's"`, "a single quote is safe in double quotes"],
    [["a\\b"], '"a\\\\b"', "a backslash would take the next character"],
    [["a;b", "#c", "*"], '"a;b" "#c" "*"', "letters to systemd, but quoted all the same"],
    [["ü"], '"ü"', "nothing outside ASCII is called plain"],
    [[], "", "no arguments, no text"],
  ])("%j -> %s (%s)", (args, text) => {
    expect(quoteArguments(args)).toBe(text);
  });
});

describe("environmentLine() escapes what systemd reads in a unit file", () => {
  it.each([
    ["--v=2", "Environment='KUBELET_ARGS=--v=2'"],
    ["50%", "Environment='KUBELET_ARGS=50%%'"],
    ["it's", "Environment='KUBELET_ARGS=it\\'s'"],
    ['"a\\\\b"', `Environment='KUBELET_ARGS="a\\\\\\\\b"'`],
    ["$HOME ${X}", "Environment='KUBELET_ARGS=$HOME ${X}'"],
    ["", "Environment='KUBELET_ARGS='"],
  ])("%s -> %s", (value, line) => {
    expect(environmentLine("KUBELET_ARGS", value)).toBe(line);
  });
});

describe("unitFileFault() names what systemd drops a whole assignment for", () => {
  it.each([
    ["a\nb", "a line break (U+000A)"],
    ["a\0b", "a control character (U+0000)"],
    ["a\u001bb", "a control character (U+001B)"],
    ["a\u007fb", "a control character (U+007F)"],
    ["a\ud83d", "a character that UTF-8 text must not have (U+D83D)"],
    ["a\ufffe", "a character that UTF-8 text must not have (U+FFFE)"],
    ["a\u{1ffff}", "a character that UTF-8 text must not have (U+1FFFF)"],
    ["a\tb", undefined],
    ["\u{1f600} \u0085 \u00a0 \ufeff", undefined],
  ])("%j: %s", (text, fault) => {
    expect(unitFileFault(text)).toBe(fault);
  });
});

it("an argument with a line break is refused by name", () => {
  expect(() => quoteArguments(["ok", "--a=b\nc"])).toThrow(
    new AgentError("config-invalid", 'Cannot pass on "--a=b\\nc" by a unit file: it contains a line break (U+000A)', { remedy: REMEDY }),
  );
});

it("a value with a line break is refused without being shown, since it may be a secret", () => {
  expect(() => environmentLine("HTTPS_PROXY", "http://user:pass\n@proxy")).toThrow(
    new AgentError("config-invalid", "Cannot pass on the value of HTTPS_PROXY by a unit file: it contains a line break (U+000A)", { remedy: REMEDY }),
  );
});
