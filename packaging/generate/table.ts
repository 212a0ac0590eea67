/** A row of a table of tab-separated values: column name to text, empty when no source said. */
export type Row = (column: string) => string;

/**
 * The rows of a tab-separated table whose first line names the columns.
 *
 * @throws Error when a row has another number of columns, or a column is asked for that the table lacks
 */
export function parseTable(text: string): readonly Row[] {
  const [header, ...lines] = text.replace(/\n$/, "").split("\n");
  const columns = (header ?? "").split("\t");
  return lines.map((line) => rowOf(columns, line));
}

function rowOf(columns: readonly string[], line: string): Row {
  const cells = line.split("\t");
  if (cells.length !== columns.length) throw new Error(`${cells.length} columns instead of ${columns.length} in ${JSON.stringify(line)}`);
  return (column) => {
    const cell = cells[columns.indexOf(column)];
    if (cell === undefined) throw new Error(`the table has no column ${JSON.stringify(column)}`);
    return cell;
  };
}

/** "1.27" is 27; "<=1.20", which means "already in the oldest version looked at", is 20; empty stays empty. */
export function minorOf(version: string): string {
  if (version === "") return "";
  const minor = /^(?:<=)?1\.(\d+)$/.exec(version)?.[1];
  if (minor === undefined) throw new Error(`${JSON.stringify(version)} is no Kubernetes version`);
  return minor;
}
