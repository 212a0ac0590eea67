// Run by the Node.js that the executable is made from: `node check-cache.cjs FOLDER` fails if V8 refuses FOLDER/app.cache. The executable would start all
// the same, at twice the cost, and nobody would notice.
"use strict";
const { readFileSync } = require("node:fs");
const { join } = require("node:path");
const { Script } = require("node:vm");

const [folder] = process.argv.slice(2);
const source = readFileSync(join(folder, "app.cjs"), "latin1");
const { cachedDataRejected } = new Script(source, { filename: "app.cjs", cachedData: readFileSync(join(folder, "app.cache")) });
if (cachedDataRejected) throw new Error("V8 refuses the settled code cache");
