// Stands in for undici's search tree of known header names, which takes 2 ms to grow: without it a name is put into lower case, with the same result.
"use strict";
exports.tree = { lookup: () => null };
