// Run by the Node.js that the executable is made from: `node settle-cache.cjs FOLDER` reads FOLDER/app.cache and writes it again. V8 numbers the functions
// in the order in which they were met, which waits for the network change; here it is that of the cache.
"use strict";
const { readFileSync, writeFileSync } = require("node:fs");
const { join } = require("node:path");
const { Script } = require("node:vm");

const [folder] = process.argv.slice(2);
const cache = join(folder, "app.cache");
const script = new Script(readFileSync(join(folder, "app.cjs"), "latin1"), { filename: "app.cjs", cachedData: readFileSync(cache) });
if (script.cachedDataRejected) throw new Error("V8 refuses the code cache of the training");
writeFileSync(cache, script.createCachedData());
