/** What was tried to make a run cheaper and did not help, with what it came to; kept by hand. */
export const TRIED: readonly string[] = [
  "Start-up snapshots of V8: slower without the network libraries in them, and impossible with them.",
  "V8's flags, 14 of them: any change of flags makes V8 refuse the code caches, its own of Node.js among them, which costs 45 to 80 ms. The seed of its\n  chance is none of these.",
  "Node.js 22: the agent took as long by it.",
  "Short names by minification: 1 ms of CPU at most, and nobody could read the stack of a reported bug.",
  "Code caches with the functions of the plain path alone: no difference, though they are smaller.",
  "A string outside of V8's heap for the sources of each pack: 2 ms slower, since each has to be as long as a megabyte. One for all is not.",
  "Compiling all of undici's WebAssembly at once in V8's threads: 2.2 ms before the first request, where what is used of it takes 2.1 ms beside that.",
  "Undici's parser in JavaScript, translated by binaryen's wasm2js, so that it is in the code cache: 1 to 4 ms slower, since its 200 KB take as long to read as what is\n  used of the WebAssembly takes to compile, which happens while the token is on its way.",
  "Ending by a signal, which spares Node.js its exit: less than 1 ms.",
  "The client of EC2 from the SDK: 1.5 MB more of code, and 165 to 215 ms of CPU time more than a request signed by the SDK's signer.",
  "Fewer scripts by one pack for the whole program: `token` would then read what a bootstrap needs, 6 ms.",
  "Loading modules of Node.js in the order in which they are needed: what costs is that they are loaded at all.",
  "`strip` on the finished executable: it no longer starts. Node.js is stripped before the agent goes into it.",
];

/** Ways to measure that did not work, kept by hand. */
export const NOT_MEASURED: readonly string[] = [
  "`perf stat -e instructions:u` counts nothing on the virtual machines that this was tried on, whose processor has no counters for its guests; valgrind\n  counts them by itself.",
  "Instructions of runs that ask servers: under valgrind a request takes longer than the agent waits for it, so that the tries would be counted as well.",
];
