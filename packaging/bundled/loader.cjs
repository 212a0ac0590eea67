// The main script of the executable: runs the bundle's parts, each from its pack, with the code that V8 compiled when the build trained it.
"use strict";
const { getRawAsset } = require("node:sea");
const { Script } = require("node:vm");

/** Modules of Node.js that take long to load, and that many a run has no use for: loaded when something of them is used. */
const LATER = ["node:child_process", "node:crypto", "node:dns/promises", "node:fs/promises", "node:os", "node:stream", "node:timers/promises", "node:tty", "node:zlib"];

const packOf = JSON.parse(textOf("index.json"));
const placeOf = JSON.parse(textOf("places.json"));
let together;
const packs = new Map();
const modules = new Map();
requireAny("./main.js");

/** A part of the bundle, or a module of Node.js. */
function requireAny(name) {
  if (!name.startsWith("./")) return LATER.includes(name) ? later(name) : require(name);
  const known = modules.get(name);
  if (known !== undefined) return known.exports;
  const module = { exports: {} };
  modules.set(name, module);
  partOf(name)(module.exports, requireAny, module, process.execPath, "/");
  return module.exports;
}

/** Looks like the module, whose names may be copied, and is it from the first look on. */
function later(name) {
  return new Proxy({}, {
    get: (_, key) => require(name)[key],
    has: (_, key) => key in require(name),
    ownKeys: () => Reflect.ownKeys(require(name)),
    getOwnPropertyDescriptor: (_, key) => {
      const descriptor = Reflect.getOwnPropertyDescriptor(require(name), key);
      return descriptor && { ...descriptor, configurable: true };
    },
  });
}

function partOf(name) {
  const pack = packOf[name];
  if (!packs.has(pack)) packs.set(pack, read(pack));
  return packs.get(pack)[name];
}

function read(filename) {
  const cachedData = Buffer.from(getRawAsset(`${filename}.cache`));
  // Empty when the training did not come by, or the build could not run this architecture. A cache that V8 refuses costs time and nothing else.
  return new Script(sourceOf(filename), { filename, cachedData: cachedData.length > 0 ? cachedData : undefined }).runInThisContext();
}

/** Packs that are read together are in one string, so long that Node.js keeps it out of V8's heap: each by itself would bring garbage collections with it. */
function sourceOf(pack) {
  const place = placeOf[pack];
  if (place === undefined) return textOf(pack);
  together ??= textOf("together");
  return together.slice(...place);
}

function textOf(asset) {
  return Buffer.from(getRawAsset(asset)).latin1Slice();
}
