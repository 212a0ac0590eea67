/** What a line is, which decides how it looks in colour. */
export type Style = "plain" | "heading" | "added" | "removed" | "hunk" | "warning" | "error" | "faint";

/** Numbers of "select graphic rendition", the terminal's escape sequence for looks. */
const RENDITIONS: Readonly<Record<Style, string>> = {
  plain: "",
  heading: "1",
  added: "32",
  removed: "31",
  hunk: "36",
  warning: "33",
  error: "1;31",
  faint: "2",
};

/** One line of text for a person. */
export type Line = { readonly style: Style; readonly text: string };

export function line(text: string, style: Style = "plain"): Line {
  return { style, text };
}

export function paint(style: Style, text: string, colour: boolean): string {
  const rendition = RENDITIONS[style];
  return !colour || rendition === "" || text === "" ? text : `\x1b[${rendition}m${text}\x1b[0m`;
}
