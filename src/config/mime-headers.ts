/** The headers of a MIME text or of a part of one. */
export type Headers = {
  /** By name in lower case; the first of a name counts. */
  readonly fields: ReadonlyMap<string, string>;
  /** The first line that is no header, where a blank one should have ended them. */
  readonly stray: string | undefined;
  readonly body: string;
};

/** Lines end in LF or CRLF, and go on where the next begins with white space. */
export function parseHeaders(text: string): Headers {
  const lines = text.split("\n");
  const blank = lines.findIndex((line) => line.trim() === "");
  const block = (blank === -1 ? lines : lines.slice(0, blank)).map((line) => line.replace(/\r$/, ""));
  const strayAt = block.findIndex((line, index) => !isHeader(line) && !(index > 0 && isContinuation(line)));
  const headers = strayAt === -1 ? block : block.slice(0, strayAt);
  return { fields: fieldsOf(headers), stray: block[strayAt], body: blank === -1 ? "" : lines.slice(blank + 1).join("\n") };
}

/** A NodeConfig, in YAML or in JSON, follows the headers where the blank line is missing: its first keys look much like them. */
function isHeader(line: string): boolean {
  return /^[A-Za-z0-9][\w.+-]*[ \t]*:/.test(line) && !/^(?:apiVersion|kind|metadata|spec|status)[ \t]*:/.test(line);
}

function isContinuation(line: string): boolean {
  return /^[ \t]/.test(line);
}

function fieldsOf(lines: readonly string[]): ReadonlyMap<string, string> {
  const unfolded = lines.join("\n").replace(/\n[ \t]+/g, " ").split("\n");
  const entries = unfolded.map((line) => [line.slice(0, line.indexOf(":")).trim().toLowerCase(), line.slice(line.indexOf(":") + 1).trim()] as const);
  return new Map(entries.reverse());
}

export type MediaType = {
  /** In lower case; "" when no header says it. */
  readonly type: string;
  /** Name in lower case to value without quotes. */
  readonly parameters: ReadonlyMap<string, string>;
};

// Values of AWS's own examples, such as "//" and "==BOUNDARY==", should be in quotes and are not always.
const PARAMETER = /;\s*([^=;\s]+)\s*=\s*(?:"((?:[^"\\]|\\.)*)"|([^;\s]*))/g;

// What is longer is no media type, and may be made to take long.
const LONGEST = 1000;

/** The media type that headers give. */
export function mediaTypeOf({ fields }: Headers): MediaType {
  const text = fields.get("content-type")?.slice(0, LONGEST) ?? "";
  const type = text.replace(/[;\s].*$/s, "").toLowerCase();
  const parameters = [...text.matchAll(PARAMETER)].map(([, name = "", quoted, bare = ""]) => [name.toLowerCase(), quoted?.replace(/\\(.)/g, "$1") ?? bare] as const);
  return { type, parameters: new Map(parameters) };
}
