/**
 * Text that does nothing to a terminal but show: control characters other than tab and line break, and those that turn the
 * direction of writing, as escapes. User data and foreign files are shown, and either may be hostile.
 */
export function printable(text: string): string {
  return text.replace(UNSHOWN, escapeCharacter);
}

/** General category Cc, the property Bidi_Control, and the line breaks of Unicode. As numbers, since V8 takes a millisecond to look the properties up. */
const UNSHOWN = /[\0-\x1f\x7f-\x9f\u061c\u200e\u200f\u2028-\u202e\u2066-\u2069]/g;

function escapeCharacter(character: string): string {
  if (character === "\n" || character === "\t") return character;
  if (character === "\r") return "\\r";
  return `\\u{${(character.codePointAt(0) ?? 0).toString(16)}}`;
}
