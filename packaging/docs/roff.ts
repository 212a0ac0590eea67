import { wrap } from "../../src/cli/wrap.ts";

/**
 * Pieces of a page in the macros of man(7). Texts are plain: every character is shown as it is, also where roff would see a
 * request or an escape in it.
 */
export function escapeRoff(text: string): string {
  // A plain "-" may come out as a typographic hyphen, which no shell takes.
  return text.replaceAll("\\", "\\e").replaceAll("-", "\\-").replaceAll("'", "\\(aq").replaceAll("`", "\\(ga").replaceAll("~", "\\(ti").replaceAll("^", "\\(ha");
}

/** A line of text: a dot or quote in front would make a request of it. */
function textLine(text: string): string {
  return `${text.replace(/^[.']/, "\\&$&")}\n`;
}

export function plain(text: string): string {
  return wrap(escapeRoff(text)).map(textLine).join("");
}

export function bold(text: string): string {
  return `\\fB${escapeRoff(text)}\\fR`;
}

export function italic(text: string): string {
  return `\\fI${escapeRoff(text)}\\fR`;
}

export function section(title: string, ...parts: readonly string[]): string {
  return `.SH ${title}\n${afterHeading(parts)}`;
}

export function subsection(title: string, ...parts: readonly string[]): string {
  return `.SS ${escapeRoff(title)}\n${afterHeading(parts)}`;
}

/** The space that a paragraph's macro makes is in the heading already. */
function afterHeading(parts: readonly string[]): string {
  return parts.join("").replace(/^\.PP\n/, "");
}

export function paragraph(text: string): string {
  return `.PP\n${plain(text)}`;
}

/** @param tag in roff already: bold() and italic() */
export function tagged(tag: string, text: string): string {
  return `.TP\n${textLine(tag)}${plain(text)}`;
}

/** Lines as they are. */
export function verbatim(text: string): string {
  return `.PP\n.RS 4\n.nf\n${text.split("\n").map((line) => textLine(escapeRoff(line))).join("")}.fi\n.RE\n`;
}
