/** A fallback taken, or a thing that the operator should know and that does not stop the node. */
export type Note = {
  /** Stable and short, for machines: "dns-guessed". */
  readonly code: string;
  /** A sentence for the operator. */
  readonly message: string;
};

/** Collects notes while one Node is resolved. */
export type AddNote = (code: string, message: string) => void;

/** A list and the function that adds to it; an equal note is kept once. */
export function noteList(): { readonly notes: Note[]; readonly add: AddNote } {
  const notes: Note[] = [];
  const add: AddNote = (code, message) => {
    if (!notes.some((note) => note.code === code && note.message === message)) notes.push({ code, message });
  };
  return { notes, add };
}
