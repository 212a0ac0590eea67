// Stands in for the module of Node.js by which yargs' parser would load configuration that is a program, which no option of the agent names.
"use strict";
exports.createRequire = undefined;
