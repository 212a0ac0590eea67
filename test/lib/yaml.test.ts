import fc from "fast-check";
import { describe, expect, it } from "vitest";
import type { JsonValue } from "../../src/lib/json.ts";
import { parseYaml, parseYamlDocuments } from "../../src/lib/yaml.ts";

/** The value alone; the fault where there is one. */
function read(text: string): unknown {
  const parsed = parseYaml(text);
  return "fault" in parsed ? parsed : parsed.value;
}

describe("parseYaml() reads as kubelet and nodeadm do", () => {
  it.each<[string, JsonValue, string]>([
    ["", null, "nothing"],
    ["# only a comment\n", null, "nothing"],
    ["a: 1\nb: [x, 1.5, ~, null]\n", { a: 1, b: ["x", 1.5, null, null] }, ""],
    ['{"a":\t1,\n\t"b":["\\u00fc",true]}', { a: 1, b: ["ü", true] }, "JSON with tabs"],
    ["a: yes\nb: Off\nc: n\nd: 'no'\ne: yEs", { a: true, b: false, c: false, d: "no", e: "yEs" }, "the booleans of YAML 1.1"],
    ["a: 0644\nb: 0o17\nc: 0x1f\nd: 089", { a: 420, b: 15, c: 31, d: 89 }, "old octal numbers"],
    ["a: 2026-01-01", { a: "2026-01-01" }, "dates are text"],
    ["a: !Ref x\nb: !!binary aGk=", { a: "x", b: "aGk=" }, "unknown tags are ignored"],
    ["a: &x {p: 1}\nb: {<<: *x, q: 2}\nc: *x", { a: { p: 1 }, b: { p: 1, q: 2 }, c: { p: 1 } }, "aliases and merge keys"],
    ["1: x\ntrue: z", { "1": "x", true: "z" }, "keys are text"],
    ["a: 1\r\nb: |\r\n  x\r\n", { a: 1, b: "x\n" }, "CRLF"],
    ["\ufeffa: 1", { a: 1 }, "a byte order mark"],
  ])("%j -> %j (%s)", (text, value, _why) => {
    expect(read(text)).toEqual(value);
  });

  it("a key named __proto__ is a key", () => {
    expect(JSON.stringify(read("__proto__: {x: 1}"))).toBe('{"__proto__":{"x":1}}');
  });

  it("whatever JSON.stringify writes", () => {
    const json = fc.jsonValue({ maxDepth: 4 }).filter((value) => !JSON.stringify(value).includes('"<<"'));
    fc.assert(
      fc.property(json, fc.constantFrom(0, 2), (value, indent) => {
        const text = JSON.stringify(value, null, indent);
        const parsed = read(text);
        if (/\d{16}/.test(text)) return;
        expect(JSON.stringify(parsed)).toBe(JSON.stringify(value));
      }),
    );
  });
});

describe("parseYaml() faults", () => {
  it.each([
    ["a: [1\nb: 2", { fault: "Flow sequence in block collection must be sufficiently indented and end with a ].", line: 2 }],
    ["x: 1\na: b: c", { fault: "Nested mappings are not allowed in compact mappings.", line: 2 }],
    ["\ta: 1", { fault: "Tabs are not allowed as indentation.", line: 1 }],
    ["a\n---\nb", { fault: "There are 2 documents where one was expected." }],
    ["a: .inf", { fault: "JSON has no number Infinity." }],
    ["a: 1e400", { fault: "JSON has no number Infinity." }],
    ["a: 9223372036854775807", { fault: "The number 9223372036854775807 is too large to be kept exactly." }],
    ["a: *nope", { fault: "Unresolved alias (the anchor must be set before the alias): nope." }],
    ["a: &a [*a, *a]", { fault: "The text is nested more than 100 levels deep." }],
    [`${"{a: ".repeat(101)}1${"}".repeat(101)}`, { fault: "The text is nested more than 100 levels deep." }],
    ["[".repeat(50_000), { fault: "The text is nested too deeply.", line: 1 }],
    [`a: &a x\n${Array.from({ length: 101 }, (_, index) => `k${index}: *a`).join("\n")}`, { fault: "Aliases are used too often." }],
    ["x".repeat(1024 * 1024 + 1), { fault: "The text is longer than 1048576 characters." }],
    [`[${"1,".repeat(100_001)}]`, { fault: "The text holds more than 100000 values." }],
  ])("%.60j", (text, fault) => {
    expect(read(text)).toEqual(fault);
  });
});

it("a key that is there twice is remarked on at its line", () => {
  const parsed = parseYaml("a:\n  b: 1\n  c: 2\n  b: 3\n");
  expect(parsed).toMatchObject({ value: { a: { b: 3, c: 2 } }, remarks: [{ line: 4, message: 'The key "b" is there twice; the later value holds.' }] });
});

describe("lineOf()", () => {
  const text = "a: &x\n  b: 1\nc:\n  - d\n  -\n    e: f\ng: *x\n1: h\na2: {i: j}\n";
  it.each([
    [[], 1],
    [["a"], 1],
    [["a", "b"], 2],
    [["c", 0], 4],
    [["c", 1, "e"], 6],
    [["g", "b"], 2],
    [["1"], 8],
    [["a2", "i"], 9],
    [["a", "x"], undefined],
    [["c", 7], undefined],
    [["a", "b", "c"], undefined],
  ])("of %j is %j", (path, line) => {
    const parsed = parseYaml(text);
    expect("fault" in parsed ? parsed : parsed.lineOf(path)).toBe(line);
  });
});

describe("parseYamlDocuments()", () => {
  it("keeps the order, with lines counted from the beginning of the text", () => {
    const documents = parseYamlDocuments("---\na: 1\n---\n[\n---\n# nothing\n---\nb: 2\n");
    expect(documents.map((document) => ("fault" in document ? document : [document.value, document.lineOf(["a"]) ?? document.lineOf(["b"])]))).toEqual([
      [{ a: 1 }, 2],
      { fault: "Flow sequence must end with a ].", line: 5 },
      [null, undefined],
      [{ b: 2 }, 8],
    ]);
  });

  it("no text is no document", () => {
    expect(parseYamlDocuments("\n")).toEqual([]);
  });
});
