import { unitFileFault } from "./systemd-quote.ts";

export type Split =
  | {
      readonly words: readonly string[];
      /** What systemd puts up with and a person should know of, each a sentence without the text itself. */
      readonly remarks: readonly string[];
    }
  | { readonly problem: string };

/**
 * Splits kubelet arguments as systemd splits the variable that carries them: at white space; single and double quotes
 * keep it and are removed; a backslash takes the next character as it is, in quotes too. Nothing else is special.
 *
 * A quote that is not closed reaches to the end, and a backslash at the end is dropped, as systemd does.
 * A word that no unit file can carry is a problem.
 */
export function splitWords(text: string): Split {
  const { words, remarks } = scan(text);
  const faulty = words.find((word) => unitFileFault(word) !== undefined);
  if (faulty === undefined) return { words, remarks };
  return { problem: `Cannot pass on ${JSON.stringify(faulty)} to kubelet: it contains ${unitFileFault(faulty)}, which systemd refuses` };
}

/** Published user data writes `%%` for bootstrap.sh, which put the text into a unit file as it was. */
export function undoublePercents(text: string): { readonly text: string; readonly wasDoubled: boolean } {
  return { text: text.replaceAll("%%", "%"), wasDoubled: text.includes("%%") };
}

// In this order: a backslash and what it takes, a quote, white space, a run of anything else.
const TOKEN = /\\([\s\S]?)|(["'])|([ \t\r\n]+)|[^\\"' \t\r\n]+/g;

type Scan = { readonly words: readonly string[]; readonly remarks: readonly string[] };

function scan(text: string): Scan {
  const words: string[] = [];
  const remarks: string[] = [];
  let word: string | undefined;
  let openQuote: string | undefined;
  for (const [token, taken, quote, space] of text.matchAll(TOKEN)) {
    const isQuote = quote !== undefined && (openQuote ?? quote) === quote;
    const isGap = space !== undefined && openQuote === undefined;
    if (taken === "") remarks.push("The backslash at the end is dropped: there is nothing for it to take.");
    else if (isGap && word !== undefined) words.push(word);
    else if (isQuote) openQuote = openQuote === undefined ? quote : undefined;
    word = isGap ? undefined : taken === "" ? word : (word ?? "") + (isQuote ? "" : (taken ?? token));
  }
  if (word !== undefined) words.push(word);
  if (openQuote !== undefined) remarks.push(`The quote ${openQuote} is opened and not closed: all that follows it is one argument.`);
  return { words, remarks };
}
