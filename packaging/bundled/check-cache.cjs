// Run by the Node.js that the executable is made from, with V8's usual flags: `node check-cache.cjs FOLDER` fails where V8 would refuse one of
// FOLDER/bundle/*.js.cache in the executable, which nobody would notice.
"use strict";
const { readdirSync, readFileSync } = require("node:fs");
const { join } = require("node:path");
const { Script } = require("node:vm");

const bundle = join(process.argv[2], "bundle");
for (const name of readdirSync(bundle).filter((file) => file.endsWith(".cache"))) check(name.slice(0, -".cache".length));

function check(filename) {
  const source = readFileSync(join(bundle, filename), "latin1");
  const { cachedDataRejected } = new Script(source, { filename, cachedData: readFileSync(join(bundle, `${filename}.cache`)) });
  if (cachedDataRejected) throw new Error(`V8 refuses the settled code cache of ${filename}`);
}
