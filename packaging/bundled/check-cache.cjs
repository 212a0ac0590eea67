// Run by the Node.js that the executable is made from, with V8's usual flags: `node check-cache.cjs FOLDER` fails where V8 would refuse one of
// FOLDER/parts/*.js.cache in the executable, which nobody would notice.
"use strict";
const { readdirSync, readFileSync } = require("node:fs");
const { join } = require("node:path");
const { Script } = require("node:vm");

const parts = join(process.argv[2], "parts");
for (const name of readdirSync(parts).filter((file) => file.endsWith(".cache"))) check(name.slice(0, -".cache".length));

function check(filename) {
  const source = readFileSync(join(parts, filename), "latin1");
  const { cachedDataRejected } = new Script(source, { filename, cachedData: readFileSync(join(parts, `${filename}.cache`)) });
  if (cachedDataRejected) throw new Error(`V8 refuses the settled code cache of ${filename}`);
}
