/** A TypeScript module that says it was generated, from which table, and by which command. */
export function generatedFile(table: string, body: string): string {
  return `// Generated from packaging/facts/${table} by \`npm run generate\`. Do not edit.\n\n${body}`;
}

/** `export const NAME = "line\nline\n…"`, one line of source for each row, under its docstring. */
export function rowsConstant(name: string, docstring: string, rows: readonly string[]): string {
  for (const row of rows) {
    if (/[`\\$\n]/.test(row)) throw new Error(`the row ${JSON.stringify(row)} does not fit into a template literal as it is`);
  }
  return `${comment(docstring)}export const ${name} = \`\n${rows.join("\n")}\n\`;\n`;
}

/** `export const NAME = … as const;` with one element or property per line. */
export function valueConstant(name: string, docstring: string, value: Readonly<Record<string, unknown>> | readonly unknown[]): string {
  const lines = Array.isArray(value)
    ? value.map((item) => `  ${literal(item)},\n`)
    : Object.entries(value).map(([key, item]) => `  ${JSON.stringify(key)}: ${literal(item)},\n`);
  const [open, close] = Array.isArray(value) ? ["[", "]"] : ["{", "}"];
  return `${comment(docstring)}export const ${name} = ${open}\n${lines.join("")}${close} as const;\n`;
}

function comment(docstring: string): string {
  return `/**\n${docstring.trim().split("\n").map((line) => ` * ${line}`.trimEnd()).join("\n")}\n */\n`;
}

/** A value on one line; `undefined` stays `undefined`. */
function literal(value: unknown): string {
  if (Array.isArray(value)) return `[${value.map(literal).join(", ")}]`;
  if (typeof value !== "object" || value === null) return value === undefined ? "undefined" : JSON.stringify(value);
  return `{ ${Object.entries(value).map(([key, item]) => `${/^[A-Za-z]\w*$/.test(key) ? key : JSON.stringify(key)}: ${literal(item)}`).join(", ")} }`;
}
