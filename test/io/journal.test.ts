import { describe, expect, test } from "vitest";
import { encodeFields, JOURNAL_SOCKET, openJournal } from "../../src/io/journal.ts";

describe("the journal's protocol", () => {
  const FIELDS: readonly (readonly [why: string, fields: Record<string, string>, encoded: string])[] = [
    ["values of one line", { MESSAGE: "file written", PRIORITY: "6" }, "MESSAGE=file written\nPRIORITY=6\n"],
    ["an equals sign", { MESSAGE: "a=b" }, "MESSAGE=a=b\n"],
    ["nothing", { MESSAGE: "" }, "MESSAGE=\n"],
    ["several lines, which could be fields", { MESSAGE: "a\nPRIORITY=0", EKS_CODE: "bug" }, "MESSAGE\n\x0c\0\0\0\0\0\0\0a\nPRIORITY=0\nEKS_CODE=bug\n"],
    ["more bytes than characters", { MESSAGE: "größer\n→" }, "MESSAGE\n\x0c\0\0\0\0\0\0\0größer\n→\n"],
  ];
  test.each(FIELDS)("%s", (_why, fields, encoded) => {
    expect(encodeFields(fields).toString()).toBe(encoded);
  });

  const LONG: readonly (readonly [why: string, value: string, kept: string])[] = [
    ["the longest value", "x".repeat(32_768), "x".repeat(32_768)],
    ["one byte more", "x".repeat(32_769), `${"x".repeat(32_768)}… (cut: 32769 bytes in all)`],
    ["a character across the limit goes as a whole", `xx${"→".repeat(11_000)}`, `xx${"→".repeat(10_922)}… (cut: 33002 bytes in all)`],
    ["an emoji across the limit", `x${"🙂".repeat(9000)}`, `x${"🙂".repeat(8191)}… (cut: 36001 bytes in all)`],
  ];
  test.each(LONG)("%s", (_why, value, kept) => {
    expect(encodeFields({ MESSAGE: value }).toString()).toBe(`MESSAGE=${kept}\n`);
  });
});

describe("the journal", () => {
  test.each([["takes an entry", 0, true], ["does not answer", 111, false]])("%s", (_what, errno, taken) => {
    const sent: (readonly [string, string])[] = [];
    const journal = openJournal(undefined, () => (socket, bytes) => (sent.push([socket, bytes.toString()]), errno));
    expect(journal?.({ MESSAGE: "m" })).toBe(taken);
    expect(sent).toEqual([[JOURNAL_SOCKET, "MESSAGE=m\n"]]);
  });

  test("is not to be had without the addon", () => {
    expect(openJournal()).toBeUndefined();
  });
});
