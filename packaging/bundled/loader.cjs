// The main script of the executable: runs the bundle's parts, each with the code that V8 compiled when the build trained it.
"use strict";
const { getRawAsset } = require("node:sea");
const { Script } = require("node:vm");

const modules = new Map();
requireAny("./main.js");

/** A part of the bundle, or a module of Node.js. */
function requireAny(name) {
  if (!name.startsWith("./")) return require(name);
  const known = modules.get(name);
  if (known !== undefined) return known.exports;
  const module = { exports: {} };
  modules.set(name, module);
  scriptOf(name.slice(2)).runInThisContext()(module.exports, requireAny, module, process.execPath, "/");
  return module.exports;
}

function scriptOf(filename) {
  const cachedData = Buffer.from(getRawAsset(`${filename}.cache`));
  return new Script(Buffer.from(getRawAsset(filename)).latin1Slice(), {
    filename,
    // Empty when the training did not come by, or the build could not run this architecture. A cache that V8 refuses costs time and nothing else.
    cachedData: cachedData.length > 0 ? cachedData : undefined,
  });
}
