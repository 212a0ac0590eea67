// Run by the Node.js that the executable is made from: `node training.cjs BUNDLE CACHE COMMANDS`. Runs the bundle once for each command, an array
// of argument arrays in JSON, and then writes V8's code for all the functions that ran. BUNDLE is compiled as the loader will.
"use strict";
const { readFileSync, writeFileSync } = require("node:fs");
const { setFlagsFromString } = require("node:v8");
const { Script } = require("node:vm");

const [bundlePath, cachePath, commands] = process.argv.slice(2);
const waiting = JSON.parse(commands);
const leave = process.exit;

// The code of a function that has not run for a while is thrown away otherwise. The flag is part of what V8 compares a cache
// by: it has its own value when the script is compiled, and again when the cache is made.
const script = new Script(readFileSync(bundlePath, "latin1"), { filename: "app.cjs" });
setFlagsFromString("--no-flush-bytecode");

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
  setFlagsFromString("--flush-bytecode");
  writeFileSync(cachePath, script.createCachedData());
  leave(0);
}
