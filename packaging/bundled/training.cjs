// Run by the Node.js that the executable is made from: `node training.cjs BUNDLE CACHE COMMANDS`. Runs the bundle once for each command, an array
// of argument arrays in JSON, and then writes V8's code for all the functions that ran. BUNDLE is compiled as the loader will.
"use strict";
const { readFileSync, writeFileSync } = require("node:fs");
const { setFlagsFromString } = require("node:v8");
const { Script } = require("node:vm");

// V8 throws the code of a function away that has not run for a while, and its faster compilers work in threads of their own and leave
// marks in a function, at another moment each time: the same sources must give the same bytes. What V8 compares a cache by includes its
// flags, so they are as they were again when the cache is made.
const UNWANTED = ["flush-bytecode", "sparkplug", "maglev", "opt"];

const [bundlePath, cachePath, commands] = process.argv.slice(2);
const waiting = JSON.parse(commands);
const leave = process.exit;

for (const feature of UNWANTED) setFlagsFromString(`--no-${feature}`);
const script = new Script(readFileSync(bundlePath, "latin1"), { filename: "app.cjs" });

// A command ends where it leaves nothing to wait for, or calls this.
process.exit = () => void setImmediate(next);
process.on("beforeExit", next);
next();

function next() {
  if (waiting.length === 0) return finish();
  process.argv = [process.execPath, process.execPath, ...waiting.shift()];
  const module = { exports: {} };
  script.runInThisContext()(module.exports, require, module, process.execPath, "/");
}

function finish() {
  for (const feature of UNWANTED) setFlagsFromString(`--${feature}`);
  writeFileSync(cachePath, script.createCachedData());
  leave(0);
}
