import { parse } from "smol-toml";
import { describe, expect, it } from "vitest";
import { parseToml, printToml } from "../../src/lib/toml.ts";

describe("printToml()", () => {
  it("has the order of the value, values of a table before its tables", () => {
    expect(printToml({ version: 3, plugins: { "io.containerd.cri.v1.images": { pinned_images: { sandbox: "a/b:1" }, snapshotter: "soci" } }, imports: ["/etc/*.toml"], empty: {} })).toBe(
      [
        "version = 3",
        'imports = [ "/etc/*.toml" ]',
        "",
        '[plugins."io.containerd.cri.v1.images"]',
        'snapshotter = "soci"',
        "",
        '[plugins."io.containerd.cri.v1.images".pinned_images]',
        'sandbox = "a/b:1"',
        "",
        "[empty]",
        "",
      ].join("\n"),
    );
  });

  it("is read back as the same value", () => {
    const value = { a: 'quo"te\\ \n', b: [1, 2.5, true], "c.d": { e: "ü" }, list: [{ x: 1 }, { y: 2 }] };
    expect(parse(printToml(value))).toEqual(value);
  });
});

describe("parseToml()", () => {
  it.each([
    ["", {}],
    ["# nothing\n", {}],
    ['a = 1\nb = "x"\nc = [true, 1.5]\n[d."e.f"]\ng = { h = \'i\' }\n[[j]]\nk = 0x10\n', { a: 1, b: "x", c: [true, 1.5], d: { "e.f": { g: { h: "i" } } }, j: [{ k: 16 }] }],
    ["__proto__ = 1\n[constructor]\nx = 1\n", JSON.parse('{ "__proto__": 1, "constructor": { "x": 1 } }') as object],
  ])("%j", (text, value) => {
    expect(parseToml(text)).toEqual({ value });
  });

  it.each([
    ["a key that is there twice", "a = 1\na = 2\n", { fault: "Trying to redefine an already defined table or value.", line: 2 }],
    ["text that is not ended", 'a = 1\nb = "secret\n', { fault: "Control characters are not allowed in strings.", line: 2 }],
    ["a table that is not ended", "[plugins\n", { fault: "Illegal character in key.", line: 1 }],
    ["a number that JSON does not keep", "a = 9007199254740993\n", { fault: "Integer value cannot be represented losslessly.", line: 1 }],
    ["infinity", "a = inf\n", { fault: "JSON has no number Infinity." }],
    ["a date", "a = 1979-05-27\n", { fault: "The text holds a date or time without quotes." }],
    ["keys of 102 levels", `${"a.".repeat(101)}a = 1\n`, { fault: "The text is nested more than 100 levels deep." }],
    ["lists of 1000 levels", `a = ${"[".repeat(1000)}`, { fault: "The text is nested more than 100 levels deep.", line: 1 }],
    ["more than 1 MiB", `a = "${"x".repeat(1024 * 1024)}"`, { fault: "The text is longer than 1048576 characters." }],
  ])("refuses %s without showing it", (_, text, fault) => {
    expect(parseToml(text)).toEqual(fault);
  });
});
