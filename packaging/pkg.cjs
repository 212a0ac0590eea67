// Calls pkg for one executable: `node pkg.cjs FOLDER TARGET`, with its parts in the folder. pkg's command line does not pass on the settings of a
// single executable application (SEA); the function behind it does.
"use strict";
const { readdirSync } = require("node:fs");
const { join } = require("node:path");
const { default: makeSea } = require("@yao-pkg/pkg/lib-es5/sea.js");

const [folder, target] = process.argv.slice(2);
const seaConfig = {
  // Node.js writes this path into the executable: the whole path would make each folder's build different.
  main: "../loader.cjs",
  disableExperimentalSEAWarning: true,
  execArgv: ["--no-deprecation"],
  // A root service must not obey NODE_OPTIONS.
  execArgvExtension: "none",
  assets: Object.fromEntries(readdirSync(join(folder, "assets")).sort().map((name) => [name, join(folder, "assets", name)])),
};

makeSea(join(folder, "loader.cjs"), { targets: [JSON.parse(target)], seaConfig }).catch((error) => {
  console.error(error);
  process.exitCode = 1;
});
