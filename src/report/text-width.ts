/** Widths in em of Helvetica and of the fonts made to its measure (Arial, Liberation Sans). */
const WIDTHS: readonly (readonly [characters: string, em: number])[] = [
  ["ijl'|", 0.23],
  ["fIt.,:;!/[] \\·", 0.28],
  ['r()`"-', 0.36],
  ["cksvxyz", 0.5],
  ["ABEKPSVXY&", 0.68],
  ["CDGHNOQRUmw", 0.78],
  ["MW%@…—", 1],
];
const LEAST = 0.23;
/** Digits, and the other letters of ASCII. */
const USUAL = 0.56;
/** Letters of other scripts are about as wide as high, if not narrower. */
const WIDEST = 1.05;
const EM_OF: ReadonlyMap<string, number> = new Map(WIDTHS.flatMap(([characters, em]) => [...characters].map((character) => [character, em] as const)));

/** About how wide a text is in a sans-serif font of this size; the error is within some percent. */
export function widthOf(text: string, fontSize: number): number {
  return [...text].reduce((sum, character) => sum + emOf(character), 0) * fontSize;
}

function emOf(character: string): number {
  return EM_OF.get(character) ?? (character <= "~" ? USUAL : WIDEST);
}

/** The text if it fits, else as much of both its ends as does, the end being the longer: paths differ there. */
export function fitText(text: string, width: number, fontSize: number): string {
  const characters = [...text];
  const shortened = (kept: number): string => `${characters.slice(0, Math.floor(kept / 3)).join("")}…${characters.slice(characters.length - Math.ceil((kept * 2) / 3)).join("")}`;
  // No more than these can fit, and a text may be much longer.
  const most = Math.ceil(width / (LEAST * fontSize));
  if (characters.length <= most && widthOf(text, fontSize) <= width) return text;
  let kept = Math.min(most, characters.length - 1);
  while (kept > 0 && widthOf(shortened(kept), fontSize) > width) kept -= 1;
  return kept === 0 ? "" : shortened(kept);
}

/** The lines of a text, broken between words; a word that is longer than a line is shortened. */
export function wrapText(text: string, width: number, fontSize: number): readonly string[] {
  const lines: string[] = [];
  let current = "";
  for (const word of text.split(/\s+/).filter((part) => part !== "")) {
    const longer = current === "" ? word : `${current} ${word}`;
    if (current === "" || widthOf(longer, fontSize) <= width) {
      current = longer;
    } else {
      lines.push(current);
      current = word;
    }
  }
  return [...lines, current].map((line) => fitText(line, width, fontSize));
}
