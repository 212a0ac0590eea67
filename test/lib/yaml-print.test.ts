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

  it("is read back as the same value, whatever it holds", () => {
    const text = fc.oneof(fc.string(), fc.stringMatching(/^[-A-Za-z0-9.:/_~#&*!|>%@]{0,8}$/));
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
