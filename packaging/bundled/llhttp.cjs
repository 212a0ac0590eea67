// Stands in for the module that has undici's parser of HTTP as WebAssembly. After a few answers V8 takes its one large function for hot and compiles it a second
// time, which costs 60 ms of CPU and 20 MB; the agent reads a dozen short answers in all. The budget counts for what is compiled while it is set. It has its usual
// value again at once, since V8 compares code caches by its flags.
"use strict";
const { setFlagsFromString } = require("node:v8");

setFlagsFromString("--wasm-tiering-budget=1000000000");
queueMicrotask(() => setFlagsFromString("--wasm-tiering-budget=13000000"));

module.exports = require("undici/lib/llhttp/llhttp_simd-wasm.js");
