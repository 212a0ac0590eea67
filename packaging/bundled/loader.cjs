// The main script of the executable: runs the bundle beside it, with the code that V8 compiled when the build trained it.
"use strict";
const { getRawAsset } = require("node:sea");
const { Script } = require("node:vm");

const cachedData = Buffer.from(getRawAsset("app.cache"));
const script = new Script(Buffer.from(getRawAsset("app.cjs")).latin1Slice(), {
  filename: "app.cjs",
  // Empty when the build could not run this architecture. A cache that V8 refuses costs time and nothing else.
  cachedData: cachedData.length > 0 ? cachedData : undefined,
});
script.runInThisContext()(module.exports, require, module, process.execPath, "/");
