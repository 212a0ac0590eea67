/**
 * Text that does nothing to a terminal but show: control characters other than tab and line break, and those that turn the
 * direction of writing, as escapes. User data and foreign files are shown, and either may be hostile.
 */
export function printable(text: string): string {
  return text.replace(/[\p{Cc}\p{Bidi_Control}\u2028\u2029]/gu, escapeCharacter);
}

function escapeCharacter(character: string): string {
  if (character === "\n" || character === "\t") return character;
  if (character === "\r") return "\\r";
  return `\\u{${(character.codePointAt(0) ?? 0).toString(16)}}`;
}
