// Stands in for Node.js's assert where undici asks for it: it is only called, and it brings the colours of a terminal with it.
"use strict";
module.exports = (value, message) => {
  if (value) return;
  throw message instanceof Error ? message : Object.assign(new Error(message ?? "undici: an assertion failed"), { code: "ERR_ASSERTION" });
};
