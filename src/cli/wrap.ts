/** Columns of the narrowest terminal in use: a serial console. */
export const COLUMNS = 80;

/**
 * The lines of `text`, broken between words so that each fits into `columns`. A word that is longer, such as a URL, stays
 * whole: it is there to be copied.
 *
 * @param first put before the first line
 * @param rest put before each further line
 */
export function wrap(text: string, first = "", rest = " ".repeat(first.length), columns = COLUMNS): readonly string[] {
  const lines: string[] = [];
  let current = first;
  let isEmpty = true;
  for (const word of text.split(/\s+/).filter((part) => part !== "")) {
    const isFull = !isEmpty && current.length + 1 + word.length > columns;
    if (isFull) lines.push(current);
    current = isFull ? rest + word : isEmpty ? current + word : `${current} ${word}`;
    isEmpty = false;
  }
  return [...lines, current.trimEnd()];
}
