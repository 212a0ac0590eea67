// What yargs asks of its platform, in place of its own module for Node.js, which makes three Intl.Segmenters
// (20 ms each), reads translations and looks for a package.json upwards from the working directory: a root service should not.
import { notStrictEqual, strictEqual } from "node:assert";
import { readdirSync, readFileSync } from "node:fs";
import { basename, dirname, extname, join, relative, resolve } from "node:path";
import { format, inspect, stripVTControlCharacters } from "node:util";
import Parser from "yargs-parser";
import { cliui } from "cliui/build/lib/index.js";

export default {
  assert: { notStrictEqual, strictEqual },
  cliui: (options) => cliui(options, { stringWidth, stripAnsi: stripVTControlCharacters, wrap }),
  findUp: () => undefined,
  getCallerFile: () => process.execPath,
  getEnv: (name) => process.env[name],
  getProcessArgvBin: () => process.argv[1],
  inspect,
  mainFilename: process.execPath,
  Parser,
  path: { basename, dirname, extname, join, relative, resolve },
  process: {
    argv: () => process.argv,
    cwd: process.cwd,
    emitWarning: (warning, type) => process.emitWarning(warning, type),
    execPath: () => process.execPath,
    exit: (code) => process.exit(code),
    nextTick: process.nextTick,
    stdColumns: process.stdout.columns ?? null,
  },
  readdirSync,
  readFileSync,
  require,
  stringWidth,
  y18n: {
    __: (text, ...values) => format(text, ...values),
    __n: (one, other, count, ...values) => format(count === 1 ? one : other, ...values),
    getLocale: () => "en",
    setLocale: () => {},
    updateLocale: () => {},
  },
};

/** One column for each character: the help text has no wide ones. */
function stringWidth(text) {
  return stripVTControlCharacters(text).length;
}

/** Breaks lines at spaces so that none is longer than `width`, unless one word is. */
function wrap(text, width) {
  return text.split("\n").map((line) => wrapLine(line, width)).join("\n");
}

function wrapLine(line, width) {
  const lines = [""];
  for (const word of line.split(" ")) {
    const current = lines.at(-1);
    if (current !== "" && current.length + 1 + word.length > width) lines.push(word);
    else lines[lines.length - 1] = current === "" ? word : `${current} ${word}`;
  }
  return lines.join("\n");
}
