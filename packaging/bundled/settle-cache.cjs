// Run by the Node.js that the executable is made from: `node settle-cache.cjs FOLDER` reads FOLDER/bundle/*.js.cache and writes them again. V8 numbers the functions
// in the order in which they were met, which waits for the network change; here it is that of the cache.
"use strict";
const { readdirSync, readFileSync, writeFileSync } = require("node:fs");
const { join } = require("node:path");
const { Script } = require("node:vm");

const bundle = join(process.argv[2], "bundle");
for (const name of readdirSync(bundle).filter((file) => file.endsWith(".cache")).sort()) settle(name.slice(0, -".cache".length));

function settle(filename) {
  const cache = join(bundle, `${filename}.cache`);
  const script = new Script(readFileSync(join(bundle, filename), "latin1"), { filename, cachedData: readFileSync(cache) });
  if (script.cachedDataRejected) throw new Error(`V8 refuses the code cache of the training for ${filename}`);
  writeFileSync(cache, script.createCachedData());
}
