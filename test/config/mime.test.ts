import { describe, expect, it } from "vitest";
import { parseMime } from "../../src/config/mime.ts";
import { mediaTypeOf } from "../../src/config/mime-headers.ts";

/** Number, type and body of each part; or the fault. */
function read(text: string): unknown {
  const mime = parseMime(text);
  if (mime === undefined || "fault" in mime) return mime;
  return mime.parts.map(({ number, headers, missingEnd }) => [number, mediaTypeOf(headers).type, headers.body, ...(missingEnd === undefined ? [] : [missingEnd])]);
}

const TOP = 'MIME-Version: 1.0\nContent-Type: multipart/mixed; boundary="//"\n\n';
const ONE = "--//\nContent-Type: text/a\n\none\n";
const TWO = "--//\nContent-Type: text/b\n\ntwo\n";
const PARTS = [[1, "text/a", "one"], [2, "text/b", "two"]];

describe("parseMime() takes", () => {
  it.each<[string, string, unknown]>([
    ["two parts", `${TOP}${ONE}${TWO}--//--\n`, PARTS],
    ["no line break at the end", `${TOP}${ONE}${TWO}--//--`, PARTS],
    ["a text before and after", `${TOP}before\n\n${ONE}${TWO}--//--\nafter\n--//\n\nno part\n`, PARTS],
    ["CRLF", `${TOP}${ONE}${TWO}--//--\n`.replaceAll("\n", "\r\n"), PARTS],
    ["spaces after a boundary", `${TOP}${ONE}${TWO}--//--\n`.replaceAll("//\n", "// \t\n").replace("--//--", "--//--  "), PARTS],
    ["blank lines and a byte order mark before the headers", `\xef\xbb\xbf\n  \n${TOP}${ONE}${TWO}--//--\n`, PARTS],
    ["the first line of a mailbox", `From nobody Mon Jan  1 00:00:00 2024\n${TOP}${ONE}${TWO}--//--\n`, PARTS],
    ["headers in any case", `${TOP}${ONE}${TWO}--//--\n`.replaceAll("Content-Type", "content-TYPE").replace("multipart/mixed", "Multipart/Mixed").replaceAll("text/", "TEXT/"), PARTS],
    ["a boundary without quotes", `${TOP}${ONE}${TWO}--//--\n`.replace('"//"', "//"), PARTS],
    ["a boundary of equals signs, not quoted", `${TOP}${ONE}--//--\n`.replace('"//"', "==B==").replaceAll("--//", "--==B=="), [PARTS[0]]],
    ["a boundary with an escaped quote", `${TOP}${ONE}--//--\n`.replace('"//"', '"a\\"b"').replaceAll("--//", '--a"b'), [PARTS[0]]],
    ["folded headers", `${TOP}${ONE}${TWO}--//--\n`.replace("mixed; ", 'mixed;\n\tcharset="x";\n  '), PARTS],
    ["other parameters before the boundary", `${TOP}${ONE}--//--\n`.replace("boundary", 'x="; boundary=no"; BOUNDARY'), [PARTS[0]]],
    ["a part without headers", `${TOP}--//\n\none\n--//--\n`, [[1, "", "one"]]],
    ["a part with nothing in it", `${TOP}--//\n--//\nContent-Type: text/a\n--//--\n`, [[1, "", ""], [2, "text/a", ""]]],
    ["a blank line of spaces", `${TOP}--//\nContent-Type: text/a\n \none\n--//--\n`, [PARTS[0]]],
    ["a body's own line breaks and lookalikes of a boundary", `${TOP}--//\nContent-Type: text/a\n\n\n--///\n --//\n---//\n\n--//--\n`, [[1, "text/a", "\n--///\n --//\n---//\n"]]],
    ["parameters after a part's type", `${TOP}${ONE}--//--\n`.replace("text/a", 'text/a; charset="utf-8"'), [PARTS[0]]],
    ["the first of two headers of a name", `${TOP}${ONE}--//--\n`.replace("text/a", "text/a\nContent-Type: text/b"), [PARTS[0]]],
    ["parts without an end, and says so of the last", `${TOP}${ONE}${TWO}`, [PARTS[0], [2, "text/b", "two\n", "--//--"]]],
    ["a text that is one part", "Content-Type: application/node.eks.aws\n\none\n", [[undefined, "application/node.eks.aws", "one\n"]]],
  ])("%s", (_, text, expected) => {
    expect(read(text)).toEqual(expected);
  });
});

describe("parseMime() leaves alone", () => {
  it.each(["", "\n", "#!/bin/bash\necho Content-Type: x\n", "#cloud-config\nruncmd: []\n", "apiVersion: node.eks.aws/v1alpha1\nkind: NodeConfig\n", "a: b\n\nContent-Type: text/a\n", "\0\xff"])("%j", (text) => {
    expect(parseMime(text)).toBeUndefined();
  });
});

describe("parseMime() names the rule that is broken", () => {
  it.each([
    ["no boundary", `Content-Type: multipart/mixed\n\n${ONE}--//--\n`, "Cannot split it into parts: its Content-Type, multipart/mixed, names no boundary."],
    ["an empty one", `Content-Type: multipart/mixed; boundary=""\n\n${ONE}--//--\n`, "Cannot split it into parts: its Content-Type, multipart/mixed, names no boundary."],
    ["no part", `${TOP}text\n`, 'Cannot split it into parts: no line is "--//", which begins one.'],
    ["an end before the first part", `${TOP}--//--\n${ONE}`, 'Cannot split it into parts: no line is "--//", which begins one.'],
    ["no blank line after the headers", `${TOP.trimEnd()}\n${ONE}--//--\n`, 'Cannot read the headers at its top: "--//" is no header. A blank line must stand between them and the first part.'],
    ["1001 parts", `${TOP}${"--//\n\n".repeat(1001)}--//--\n`, "Cannot split it into parts: there are more than 1000."],
  ])("%s", (_, text, fault) => {
    expect(parseMime(text)).toEqual({ fault });
  });
});
