import { expect, test } from "vitest";
import { printable } from "../../src/cli/printable.ts";

test("exactly the control characters, those that turn the direction of writing, and Unicode's line breaks are escaped", () => {
  const units = Array.from({ length: 0x10000 }, (_, code) => String.fromCharCode(code));
  const escaped = units.filter((character) => printable(character) !== character);
  expect(escaped).toEqual(units.filter((character) => /[\p{Cc}\p{Bidi_Control}\u2028\u2029]/u.test(character) && !"\n\t".includes(character)));
});

test.each([
  ["a\tb\nc", "a\tb\nc"],
  ["a\r\n", "a\\r\n"],
  ["\x1b[31mred", "\\u{1b}[31mred"],
  ["\u202eevil", "\\u{202e}evil"],
  ["größer → 😀", "größer → 😀"],
])("%j is shown as %j", (text, shown) => expect(printable(text)).toBe(shown));
