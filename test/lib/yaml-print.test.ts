import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { parse } from "yaml";
import type { JsonObject, JsonValue } from "../../src/lib/json.ts";
import { printYaml } from "../../src/lib/yaml-print.ts";

describe("printYaml()", () => {
  it("is block YAML in the order of the value", () => {
    expect(printYaml({ kind: "Config", list: [{ name: "a", map: { "certificate-authority": "/etc/ca.crt" } }, "b"], empty: {}, none: [], number: 1, on: true })).toBe(
      [
        "kind: Config",
        "list:",
        "- name: a",
        "  map:",
        "    certificate-authority: /etc/ca.crt",
        "- b",
        "empty: {}",
        "none: []",
        "number: 1",
        '"on": true',
        "",
      ].join("\n"),
    );
  });

  it.each([
    ["kubelet", "kubelet", "a word"],
    ["https://ABC.gr7.us-east-1.eks.amazonaws.com", "https://ABC.gr7.us-east-1.eks.amazonaws.com", "a colon without a space is only text"],
    ["--region", "--region", "two dashes begin no list"],
    ["/usr/bin/aws", "/usr/bin/aws", "a path"],
    ["-i", '"-i"', "a dash may begin a list"],
    ["", '""', "nothing is null"],
    ["yes", '"yes"', "YAML 1.1 takes it for true"],
    ["No", '"No"', "and this for false"],
    ["null", '"null"', "not the text"],
    ["1.20", '"1.20"', "a number"],
    ["0755", '"0755"', "an octal number"],
    ["1e3", '"1e3"', "a number"],
    ["12:30:45", '"12:30:45"', "a number of base 60 in YAML 1.1"],
    ["2026-01-01", '"2026-01-01"', "a date"],
    ["a: b", '"a: b"', "a map"],
    ["a #b", '"a #b"', "a comment"],
    ["a:", '"a:"', "a key"],
    ["*a", '"*a"', "an alias"],
    ["!a", '"!a"', "a tag"],
    ["---", '"---"', "a document's begin"],
    ["line\nbreak", '"line\\nbreak"', "a line break"],
    ["~", '"~"', "null"],
  ])("%j is written %s (%s)", (text, written) => {
    expect(printYaml({ a: text })).toBe(`a: ${written}\n`);
  });

  it("writes text of whole lines as it is, as deep as it stands", () => {
    const toml = '[a."b"]\n  c = 1\n\nd = "\\n"\n';
    expect(printYaml({ list: [{ toml }, toml] })).toBe('list:\n- toml: |\n    [a."b"]\n      c = 1\n\n    d = "\\n"\n- |\n  [a."b"]\n    c = 1\n\n  d = "\\n"\n');
  });

  it.each([
    ["a\nb", "its last line does not end"],
    ["a\n\n", "an empty line at its end"],
    [" a\nb\n", "its first line is indented"],
    ["\na\n", "its first line is empty"],
    ["a\r\nb\n", "the line ends of Windows"],
    ["a\u0085b\n", "a line end that YAML 1.1 alone knows"],
  ])("%j is one JSON string (%s)", (text) => {
    expect(printYaml({ a: text })).toBe(`a: ${JSON.stringify(text)}\n`);
  });

  it("is read back as the same value, whatever it holds", () => {
    const lines = fc.string({ unit: fc.constantFrom(..."ab \t\n#:-'\"\u00fc\u0085\u2028\ufeff\r"), maxLength: 12 }).map((start) => `${start}\n`);
    const text = fc.oneof(fc.string(), fc.stringMatching(/^[-A-Za-z0-9.:/_~#&*!|>%@]{0,8}$/), lines);
    const { value } = fc.letrec<{ value: JsonValue }>((tie) => ({
      value: fc.oneof({ depthSize: "small" }, text, fc.integer(), fc.boolean(), fc.constant(null), fc.array(tie("value"), { maxLength: 3 }), fc.dictionary(text, tie("value"), { maxKeys: 3, noNullPrototype: true })),
    }));
    fc.assert(
      fc.property(fc.dictionary(text, value, { maxKeys: 4, noNullPrototype: true }), (document: JsonObject) => {
        const printed = printYaml(document);
        expect(parse(printed)).toEqual(document);
        expect(parse(printed, { version: "1.1" })).toEqual(document);
      }),
    );
  });
});
