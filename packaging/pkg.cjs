// Calls pkg for one executable: `node pkg.cjs FOLDER TARGET`, with its parts in the folder. pkg's command line does not pass on the settings of a
// single executable application (SEA); the function behind it does.
"use strict";
const { readdirSync } = require("node:fs");
const { join } = require("node:path");
const { default: makeSea } = require("@yao-pkg/pkg/lib-es5/sea.js");

/** Node.js would listen for SIGUSR1 on a thread of its own, and let whoever sends it look into a process of root. */
const NO_DEBUGGER = ["--disable-sigusr1"];

/**
 * V8 hashes strings by random primes, and tries a hundred numbers and more, for 3 ms, before it has them; by this seed of its chance it has them after 37, the fewest of the
 * first 3,000 seeds. What others must not foresee, names of temporary files and the pauses between the tries of a fleet, is of OpenSSL's chance. To choose it anew for
 * another V8: count the calls of sprp() in src/numbers/hash-seed.cc.
 */
const SEED = ["--random-seed=1375"];

const [folder, target] = process.argv.slice(2);
const seaConfig = {
  // Node.js writes this path into the executable: the whole path would make each folder's build different.
  main: "../loader.cjs",
  disableExperimentalSEAWarning: true,
  execArgv: ["--no-deprecation", ...NO_DEBUGGER, ...SEED],
  // A root service must not obey NODE_OPTIONS.
  execArgvExtension: "none",
  assets: Object.fromEntries(readdirSync(join(folder, "assets")).sort().map((name) => [name, join(folder, "assets", name)])),
};

makeSea(join(folder, "loader.cjs"), { targets: [JSON.parse(target)], seaConfig }).catch((error) => {
  console.error(error);
  process.exitCode = 1;
});
