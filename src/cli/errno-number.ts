/** The number of the system call's failure at the root of an error, positive as in errno(3); undefined if there was none. */
export function errnoNumberOf(error: unknown): number | undefined {
  for (let each: unknown = error, depth = 0; each instanceof Error && depth < DEEPEST; each = each.cause, depth += 1) {
    if ("errno" in each && typeof each.errno === "number") return Math.abs(each.errno);
  }
  return undefined;
}

/** A chain of causes may be a circle. */
const DEEPEST = 10;
