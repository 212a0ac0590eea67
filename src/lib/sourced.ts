/** A value that remembers where it came from, in words for a person: "option --ip-family", "user-data part 2", "default". */
export type Sourced<T> = { readonly value: T; readonly source: string };

export function sourced<T>(value: T, source: string): Sourced<T> {
  return { value, source };
}
