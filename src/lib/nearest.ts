/**
 * The known name that a person who wrote `name` probably meant; undefined if none is near.
 *
 * Case, dashes and underscores do not count. Up to a third of the letters may be wrong, missing, too many or swapped.
 */
export function nearestName(name: string, known: Iterable<string>): string | undefined {
  const written = normalize(name);
  let nearest: string | undefined;
  let least = Math.floor(written.length / 3) + 1;
  for (const candidate of known) {
    const distance = editDistance(written, normalize(candidate), least);
    if (distance < least) [nearest, least] = [candidate, distance];
  }
  return nearest;
}

/** "; did you mean maxPods?", or nothing: the end of a sentence about an unknown name. */
export function didYouMean(name: string, known: Iterable<string>, prefix = ""): string {
  const nearest = nearestName(name, known);
  return nearest === undefined ? "" : `; did you mean ${prefix}${nearest}?`;
}

// Longer names are not typing errors, and the distance costs the product of the lengths.
const LONGEST = 80;

function normalize(name: string): string {
  return name.slice(0, LONGEST).toLowerCase().replace(/[-_]/g, "");
}

/** Letters inserted, dropped, replaced or swapped with their neighbour; `limit` if there are that many or more. */
function editDistance(a: string, b: string, limit: number): number {
  if (Math.abs(a.length - b.length) >= limit) return limit;
  let beforePrevious: number[] = [];
  let previous = Array.from({ length: b.length + 1 }, (_, column) => column);
  for (let row = 1; row <= a.length; row++) {
    const current = [row];
    for (let column = 1; column <= b.length; column++) {
      const isSame = a[row - 1] === b[column - 1];
      const isSwapped = row > 1 && column > 1 && a[row - 1] === b[column - 2] && a[row - 2] === b[column - 1];
      current[column] = Math.min(
        at(previous, column) + 1,
        at(current, column - 1) + 1,
        at(previous, column - 1) + (isSame ? 0 : 1),
        isSwapped ? at(beforePrevious, column - 2) + 1 : Infinity,
      );
    }
    if (Math.min(...current) >= limit) return limit;
    [beforePrevious, previous] = [previous, current];
  }
  return at(previous, b.length);
}

function at(row: readonly number[], column: number): number {
  return row[column] ?? Infinity;
}
