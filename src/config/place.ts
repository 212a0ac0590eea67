import type { ConfigDocument, ParsedDocument } from "./document.ts";
import type { Problem } from "./problems.ts";

/** Where in a document a value is, and what is to be said of it there. */
export type Place = {
  readonly source: string;
  /** "spec.kubelet.flags[1]" */
  readonly path: string;
  readonly at: (key: string | number) => Place;
  /** It cannot be used. Undefined is what is read then. */
  readonly refuse: (message: string) => undefined;
  /** A peer would not mind it. */
  readonly tolerate: (code: string, message: string) => undefined;
  /** @param predicate the rest of a sentence whose subject is the value: "is taken as …" */
  readonly note: (code: string, predicate: string) => void;
};

type Keys = readonly (string | number)[];
type Sayings = Omit<ParsedDocument, "config">;

/** The top of a document, and the lists that whatever is said of its places is added to. */
export function placesOf(document: ConfigDocument): { readonly top: Place; readonly sayings: Sayings } {
  const sayings = { problems: [] as Problem[], leniencies: [] as Sayings["leniencies"][number][], notes: [] as Sayings["notes"][number][] };
  const placeAt = (keys: Keys): Place => {
    const { source } = document;
    const path = showKeys(keys);
    const problem = (message: string): Problem => ({ source, ...(path !== "" && { path }), ...lineAt(document, keys), message });
    return {
      source,
      path,
      at: (key) => placeAt([...keys, key]),
      refuse: (message) => void sayings.problems.push(problem(message)),
      tolerate: (code, message) => void sayings.leniencies.push({ code, ...problem(message) }),
      note: (code, predicate) => void sayings.notes.push({ code, message: `${path} of ${source} ${predicate}.` }),
    };
  };
  return { top: placeAt([]), sayings };
}

/** Keys that hold dots, as those of containerd's plugins do, are quoted. */
function showKeys(keys: Keys): string {
  const shown = keys.map((key) => (typeof key === "number" ? `[${key}]` : /^[\w-]+$/.test(key) ? `.${key}` : `[${JSON.stringify(key)}]`));
  return shown.join("").replace(/^\./, "");
}

function lineAt({ lineOf }: ConfigDocument, keys: Keys): { line?: number } {
  const line = lineOf(keys);
  return line === undefined ? {} : { line };
}
