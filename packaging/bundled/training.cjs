// Run by the Node.js that the executable is made from: `node training.cjs FOLDER`. Compiles the bundle's packs, FOLDER/bundle/*.js, as the loader will, runs it
// once for each command of FOLDER/plan.json, its arguments and the variables that hold from there on, and then writes V8's code for all the functions that ran to
// FOLDER/bundle/*.js.cache. V8 has the plan's flags for the time of the commands, and the usual ones again when it makes the caches.
"use strict";
const { existsSync, readFileSync, writeFileSync } = require("node:fs");
const { join } = require("node:path");
const { setFlagsFromString } = require("node:v8");
const { Script } = require("node:vm");

const [folder] = process.argv.slice(2);
const { commands, flags, usualFlags } = JSON.parse(readFileSync(join(folder, "plan.json"), "utf8"));
const packOf = JSON.parse(readFileSync(join(folder, "bundle/index.json"), "utf8"));
const waiting = [...commands];
const leave = process.exit;
const scripts = new Map();

for (const flag of flags) setFlagsFromString(flag);

// A command ends where it leaves nothing to wait for, or calls this.
process.exit = (status) => {
  process.exitCode = status ?? process.exitCode;
  setImmediate(next);
};
process.on("beforeExit", next);
next();

function next() {
  // What failed early has trained little, and nobody would notice.
  if (process.exitCode) throw new Error(`"${process.argv.slice(2).join(" ")}" ended with exit status ${process.exitCode} in the training`);
  if (waiting.length === 0) return finish();
  const { args, env } = waiting.shift();
  process.argv = [process.execPath, process.execPath, ...args];
  Object.assign(process.env, env);
  const packs = new Map();
  const modules = new Map();
  const requireAny = (name) => (name.startsWith("./") ? (modules.get(name) ?? evaluate(name)).exports : name === "node:sea" ? sea : require(name));
  const evaluate = (name) => {
    const module = { exports: {} };
    modules.set(name, module);
    const pack = packOf[name];
    if (!packs.has(pack)) packs.set(pack, scriptOf(pack).runInThisContext());
    packs.get(pack)[name](module.exports, requireAny, module, process.execPath, "/");
    return module;
  };
  requireAny("./main.js");
}

/** In the place of Node.js's own: the executable's addons are in FOLDER, as far as it has them. */
const sea = {
  isSea: () => true,
  getRawAsset: (name) => {
    const path = join(folder, name);
    return Uint8Array.from(existsSync(path) ? readFileSync(path) : []).buffer;
  },
};

function scriptOf(filename) {
  const script = scripts.get(filename) ?? new Script(readFileSync(join(folder, "bundle", filename), "latin1"), { filename });
  scripts.set(filename, script);
  return script;
}

function finish() {
  for (const flag of usualFlags) setFlagsFromString(flag);
  for (const [name, script] of scripts) writeFileSync(join(folder, "bundle", `${name}.cache`), script.createCachedData());
  leave(0);
}
